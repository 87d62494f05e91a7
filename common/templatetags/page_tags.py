"""The template tag for the numbers of the pages of a list (``common/_pages.html``)."""

from __future__ import annotations

from typing import Any

from django import template
from django.core.paginator import Page

register = template.Library()


@register.simple_tag
def page_numbers(page: Page[Any]) -> list[int | str]:
    """Return page numbers to link to, always with the first and the last; a text ("…") stands for numbers left out."""
    return list(page.paginator.get_elided_page_range(page.number, on_each_side=2, on_ends=1))
