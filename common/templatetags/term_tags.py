"""The template tag that explains a term where it stands."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from common.glossary import TERMS, Term

register = template.Library()


@register.simple_tag
def term(name: str, text: str) -> SafeString:
    """Return ``text`` as a link to the glossary's term ``name``; ``common/terms.js`` explains the term at the link."""
    found = TERMS[name]
    url = f"{reverse('help')}#term-{name}"
    return format_html(
        '<a class="term" href="{}" data-title="{}" data-text="{}">{}</a>', url, found.title, found.text, text
    )


@register.simple_tag
def glossary() -> dict[str, Term]:
    """Return all terms of the glossary by name."""
    return TERMS
