"""Queries whose SQL Django compiles once and not for each reader: compiling takes longer than the database needs.

Only the page of a bot, of whose CPU time it saves 39 %, and the requests of players at tables, of whose 8 ms it saves
1.3 ms on PostgreSQL, use them (docs/understand/performance.md).
Other pages are cached for visitors who are not signed in, but there are too many bots for a cache. A compiled query is
written like any other and returns the same rows.
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
"""Placeholders for values are numbers from here on: no query contains them itself, and most columns can hold them."""


class CompiledQuery(Generic[RowT]):
    """A query with values that differ from reader to reader."""

    def __init__(self, build: Callable[..., QuerySet[Any, RowT]]) -> None:
        """Take the function that builds the query.

        Args:
            build: returns the query for given values and keywords. The shape of the query may depend on the keywords;
                readers must not choose these freely, since the SQL of each combination is stored. It is called once for
                each combination of keywords and of types and lengths of values, with placeholders for the values. So it
                may only pass the values to the database unchanged.
        """
        self._build = build
        self._compiled: dict[Hashable, _Statement[RowT]] = {}

    def rows(self, *values: Value, **form: Hashable) -> list[RowT]:
        """Return the rows for these values and keywords; numbers must fit into the columns that they are compared with.

        Args:
            values: the values for ``build``.
            form: the keywords for ``build``.
        """
        shapes = [(type(value), len(value) if isinstance(value, list) else 1) for value in values]
        key = (*shapes, *form.items())
        statement = self._compiled.get(key)
        if statement is None:
            # Two threads may both compile it, which does no harm.
            statement = self._compiled[key] = _Statement(self._build, values, form)
        return statement.rows(_flat(values))


class _Statement(Generic[RowT]):
    """The SQL of a query for one combination of keywords, types and lengths."""

    def __init__(
        self, build: Callable[..., QuerySet[Any, RowT]], values: tuple[Value, ...], form: dict[str, Hashable]
    ) -> None:
        placeholders = _placeholders(values)
        self._query = build(*placeholders, **form)
        self._compiler: SQLCompiler | None = self._query.query.get_compiler(DEFAULT_DB_ALIAS)
        try:
            self._sql, self._parameters = self._compiler.as_sql()
        except EmptyResultSet:
            # Django raises it for an empty list, and for a value outside the column's range, which is our error.
            assert [] in values, "A column is too small for placeholders"  # noqa: S101 - our own error
            self._compiler = None
            return
        self._places = {number: place for place, number in enumerate(_flat(placeholders)) if number is not None}
        changed = self._places.keys() - set(self._parameters)
        assert not changed, "Django alters a value on its way to the database"  # noqa: S101 - our own error

    def rows(self, values: list[Any]) -> list[RowT]:
        """Return the rows for these values, which are flattened into one list."""
        if self._compiler is None:
            return []
        parameters = tuple(
            values[self._places[parameter]] if parameter in self._places else parameter
            for parameter in self._parameters
        )
        compiler, query = copy(self._compiler), self._query.all()
        compiler.connection = connections[DEFAULT_DB_ALIAS]
        # The query takes its compiled SQL from here, and then does all else as usual.
        compiler.as_sql = lambda *_args, **_kwargs: (self._sql, parameters)  # type: ignore[method-assign]
        query.query.get_compiler = lambda *_args, **_kwargs: compiler  # type: ignore[method-assign]
        return list(query)


def _placeholders(values: tuple[Value, ...]) -> list[Value]:
    """Return a placeholder of the same type and length for each value; all numbers in them are different."""
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
