"""The tags of parts of pages that belong to an app above the page's own (``common.parts``)."""

from __future__ import annotations

from django import template
from django.template.base import Parser, Token
from django.template.context import Context
from django.utils.safestring import SafeString

from common.parts import PartNode, parts_at

register = template.Library()


@register.simple_tag(takes_context=True)
def parts(context: Context, place: str) -> SafeString:
    """Show what apps above have registered for a place, in the context of the page."""
    with context.push():
        return SafeString("".join(nodes.render(context) for nodes in parts_at(place)))


@register.tag
def part(parser: Parser, token: Token) -> PartNode:
    """Bring what stands before ``{% endpart %}`` to a place: ``{% part "desk" %}``."""
    _name, place = token.split_contents()
    nodes = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(place.strip("\"'"), nodes)
