"""Rows of long tables: drawn by Jinja, from the folders ``jinja2``, much faster than by Django's templates.

Everything around the rows is a template of Django's, into which a tag puts them (``{% board_rows %}``,
``{% match_rows %}``). They say the same words in the same languages (``_``), and escape as Django does.
"""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Any
from urllib.parse import quote

from django.contrib.humanize.templatetags.humanize import naturaltime
from django.template import engines
from django.template.defaultfilters import date, floatformat
from django.urls import reverse
from django.utils.http import RFC3986_SUBDELIMS
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext
from jinja2 import Environment

_ANY = "1000000007"


def environment(**options: Any) -> Environment:
    """Return what rows are drawn with: Jinja with the words, addresses and numbers of the site."""
    made = Environment(**options, extensions=["jinja2.ext.i18n"], trim_blocks=True)  # noqa: S701 - Django asks to escape
    made.globals["address"] = address
    made.filters.update(date=date, floatformat=floatformat, isoformat=datetime.isoformat, naturaltime=naturaltime)
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


def address(view: str, name: int | str) -> str:
    """Return the address of a page that has a number or name in it, without going through all addresses each time."""
    before, behind = _around(view)
    return before + quote(str(name), safe=f"{RFC3986_SUBDELIMS}/~:@") + behind


@cache
def _around(view: str) -> tuple[str, str]:
    before, _, behind = reverse(view, args=[_ANY]).partition(_ANY)
    return before, behind
