"""Renders Markdown that users have written as HTML that can do no harm."""

from __future__ import annotations

from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

_RENDERER = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
# No images: each would tell its server who reads the page and when.
_TAGS = frozenset(
    {"a", "blockquote", "br", "code", "em", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "s", "strong"}
    | {"table", "tbody", "td", "th", "thead", "tr", "ul"}
)
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}


@lru_cache(maxsize=256)  # a text that is made to be slow takes seconds
def markdown_html(text: str) -> SafeString:
    """Return Markdown (CommonMark with tables) as HTML; HTML in the text is shown as it was typed.

    The attack: an organiser writes a description that runs a script in the browser of everybody who reads it, or that
    looks like a part of the site itself. Two libraries stand against it: one escapes HTML and refuses such links while
    it renders, the other leaves only harmless elements and attributes.

    Headings begin at the second level, since the page has the first, and none skips a level.
    """
    tokens = _RENDERER.parse(text)
    level = 1
    for token in tokens:
        if token.type == "heading_open":
            level = min(int(token.tag[1]) + 1, level + 1, 6)
        if token.type in ("heading_open", "heading_close"):
            token.tag = f"h{level}"
    html = _RENDERER.renderer.render(tokens, _RENDERER.options, {})
    clean = nh3.clean(
        html,
        tags=set(_TAGS),
        attributes={tag: set(names) for tag, names in _ATTRIBUTES.items()},
        url_schemes={"http", "https", "mailto"},
        link_rel="nofollow ugc noopener noreferrer",
    )
    return mark_safe(clean)  # noqa: S308 - sanitised above
