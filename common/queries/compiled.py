"""Queries that Django makes into SQL once, not for each reader: that takes longer than the database needs to run them.

For the page of a bot, which would take nearly twice as long: strangers' pages are kept, but there are too many bots for
that. A query is written as any other and gives the same rows.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from copy import copy
from itertools import count
from typing import Any, Generic, TypeAlias, TypeVar

from django.core.exceptions import EmptyResultSet
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet
from django.db.models.sql.compiler import SQLCompiler

RowT = TypeVar("RowT")

Value: TypeAlias = "int | float | list[int] | None"

_FIRST = 2**30
"""What stands for a value is a number from here on, which no query has by itself and most columns can hold."""


class CompiledQuery(Generic[RowT]):
    """A query with values that differ from reader to reader."""

    def __init__(self, build: Callable[..., QuerySet[Any, RowT]]) -> None:
        """Take a query.

        Args:
            build: returns it for values, and for a form: keywords on which its shape depends, which readers may not
                choose at will, since each form is kept. It is called once for each form and each choice of types and
                lengths of values, with stand-ins for the values. So it may only hand them to the database, as they are.
        """
        self._build = build
        self._made: dict[Hashable, _Made[RowT]] = {}

    def rows(self, *values: Value, **form: Hashable) -> list[RowT]:
        """Return what the query reads with these values; numbers must be such as a column can hold."""
        key = (*map(_shape, values), *form.items())
        made = self._made.get(key)
        if made is None:
            # Two threads at worst both make it.
            made = self._made[key] = _Made(self._build, values, form)
        return made.rows(_flat(values))


class _Made(Generic[RowT]):
    """A query of one form, with its SQL."""

    def __init__(
        self, build: Callable[..., QuerySet[Any, RowT]], values: tuple[Value, ...], form: dict[str, Hashable]
    ) -> None:
        stand_ins = _stand_ins(values)
        self._query = build(*stand_ins, **form)
        self._compiler: SQLCompiler | None = self._query.query.get_compiler(DEFAULT_DB_ALIAS)
        try:
            self._sql, self._parameters = self._compiler.as_sql()
        except EmptyResultSet:
            # Of one that is in no column's range, Django knows that it is nowhere.
            assert [] in values, "A column is too small for stand-ins"  # noqa: S101 - our own error
            self._compiler = None
            return
        self._places = {stand_in: place for place, stand_in in enumerate(_flat(stand_ins)) if stand_in is not None}
        changed = self._places.keys() - set(self._parameters)
        assert not changed, "Django alters a value on its way to the database"  # noqa: S101 - our own error

    def rows(self, values: list[Any]) -> list[RowT]:
        """Return what it reads with all values in one list."""
        if self._compiler is None:
            return []
        parameters = tuple(
            values[self._places[parameter]] if parameter in self._places else parameter
            for parameter in self._parameters
        )
        known, query = copy(self._compiler), self._query.all()
        known.connection = connections[DEFAULT_DB_ALIAS]
        # From here on the query goes its usual way, from its rows to whatever it makes of them.
        known.as_sql = lambda *_args, **_kwargs: (self._sql, parameters)  # type: ignore[method-assign]
        query.query.get_compiler = lambda *_args, **_kwargs: known  # type: ignore[method-assign]
        return list(query)


def _shape(value: Value) -> tuple[type, int]:
    return type(value), len(value) if isinstance(value, list) else 1


def _stand_ins(values: tuple[Value, ...]) -> list[Value]:
    """Return as many other values of the same types and lengths, all different."""
    numbers = count(_FIRST)
    return [
        [next(numbers) for _ in value]
        if isinstance(value, list)
        else None
        if value is None
        else type(value)(next(numbers))
        for value in values
    ]


def _flat(values: tuple[Value, ...] | list[Value]) -> list[Any]:
    return [each for value in values for each in (value if isinstance(value, list) else [value])]
