"""Rows of long tables: drawn by Jinja, from the folders ``jinja2``, much faster than by Django's templates.

Everything around the rows is a template of Django's, into which a tag puts them (``{% drawn %}``, ``{% board_rows %}``,
``{% match_rows %}``). They say the same words in the same languages (``_``), write numbers as Django does, and escape
as it does.
"""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from typing import Any
from urllib.parse import quote

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template import engines
from django.urls import reverse
from django.utils.formats import get_format
from django.utils.http import RFC3986_SUBDELIMS
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext
from jinja2 import Environment

from common.times import moment
from common.words.sentences import told

_ANY = "1000000007"
_UNITS = (Decimal(1), Decimal("0.1"))
"""Of the last digit, by how many there are after the point."""


def environment(**options: Any) -> Environment:
    """Return what rows are drawn with: Jinja with the words, addresses and numbers of the site."""
    made = Environment(**options, extensions=["jinja2.ext.i18n"], trim_blocks=True)  # noqa: S701 - Django asks to escape
    made.globals["address"] = address
    filters = {"moment": moment, "naturaltime": naturaltime, "rounded": rounded, "told": told}
    made.filters.update(filters, isoformat=datetime.isoformat)
    # The extension adds this method when it is loaded.
    made.install_gettext_callables(gettext, ngettext, newstyle=True, pgettext=pgettext)  # type: ignore[attr-defined]
    return made


def rows_drawn(*, template: str, **values: Any) -> SafeString:
    """Return rows as HTML.

    Args:
        template: its name in a folder ``jinja2``.
        values: what it shows.
    """
    return SafeString(engines["jinja2"].get_template(template).render(values))


def rounded(value: float, places: int = -1) -> str:
    """Return a number as Django's ``floatformat`` writes it, in a third of its time.

    Args:
        value: a finite number.
        places: so many digits after the point; negative: as many, but none for a whole number.
    """
    if places <= 0 and value == int(value):
        return str(int(value))
    # By its digits, as everybody rounds: 0.15 in binary is not what stands there.
    number = str(Decimal(str(value)).quantize(_UNITS[abs(places)], ROUND_HALF_UP))
    # What is rounded to nothing has no sign.
    number = number if number[0] != "-" or float(number) else number[1:]
    return number.replace(".", get_format("DECIMAL_SEPARATOR")) if places else number


def address(view: str, name: int | str) -> str:
    """Return the address of a page that has a number or name in it, without going through all addresses each time."""
    before, behind = _around(view)
    if isinstance(name, int):
        return f"{before}{name}{behind}"
    return before + quote(str(name), safe=f"{RFC3986_SUBDELIMS}/~:@") + behind


@cache
def _around(view: str) -> tuple[str, str]:
    before, _, behind = reverse(view, args=[_ANY]).partition(_ANY)
    return before, behind
