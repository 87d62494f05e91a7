"""Parts of pages that belong to an app above the page's own.

A page names a place, ``{% parts "desk" %}``, and knows nothing of what stands there. An app above has a template with
``{% part "desk" %}...{% endpart %}`` for each place where it shows something, and registers it when it is ready.
"""

from __future__ import annotations

from functools import cache

from django.template import Node, NodeList
from django.template.context import Context
from django.template.loader import get_template

_templates: list[str] = []


class PartNode(Node):
    """What a template shows at a place of the pages of other apps; where it is written, it shows nothing."""

    def __init__(self, place: str, nodelist: NodeList) -> None:
        self.place = place
        self.nodelist = nodelist

    def render(self, context: Context) -> str:
        """Return nothing."""
        return ""


def parts_register(template: str) -> None:
    """Show the parts of a template on pages, after those that were registered before; called when an app is ready."""
    if template not in _templates:
        _templates.append(template)


@cache
def parts_at(place: str) -> tuple[NodeList, ...]:
    """Return the contents of the parts that apps have registered for a place, in the order of the apps."""
    nodes = [node for name in _templates for node in get_template(name).template.nodelist]  # type: ignore[attr-defined]
    return tuple(node.nodelist for node in nodes if isinstance(node, PartNode) and node.place == place)
