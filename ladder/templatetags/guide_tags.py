"""What the pages of the games are made of beside words: ``{% figure %}`` and ``{% conversation %}``."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from django import template
from django.template import Context, TemplateSyntaxError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.guide.conversation import Exchange
from ladder.guides import guide_conversation, guide_drawing

register = template.Library()

Notes = dict[str, SafeString]
"""What the parts of a conversation are, by their names."""


@register.simple_block_tag(takes_context=True)
def figure(context: Context, content: SafeString, name: str, alt: str) -> SafeString:
    """Draw a figure of the page's game; the content of the block becomes its caption."""
    image = guide_drawing(context["game"].name, name, alt)
    return format_html('<figure class="drawing">{}<figcaption>{}</figcaption></figure>', image, content)


@register.simple_block_tag(takes_context=True)
def conversation(context: Context, content: SafeString, question: str, answer: str) -> SafeString:
    """Show how bot and referee talk in the page's game.

    The block holds a line ``name: what it is`` for each part of the questions and answers; it is shown where the part
    comes first.

    Args:
        context: of the page.
        content: the rendered block.
        question: heading of each question; its number follows.
        answer: heading of each answer.
    """
    notes = _notes(content)
    told = [
        format_html('<h3 class="talk-turn">{} {}</h3>{}{}', question, exchange.number, *_told(exchange, answer, notes))
        for exchange in guide_conversation(context["game"].name)
    ]
    if notes:
        raise TemplateSyntaxError(f"The conversation has no part {next(iter(notes))!r}.")
    return format_html_join("", "{}", ((each,) for each in told))


def _notes(content: SafeString) -> Notes:
    lines = (line.partition(": ") for line in map(str.strip, content.splitlines()) if line)
    return {name: SafeString(text) for name, _, text in lines}


def _told(exchange: Exchange, answer: str, notes: Notes) -> tuple[SafeString, SafeString]:
    asked = format_html_join("", "{}", ((part,) for part in _asked(exchange, notes)))
    heading = format_html("<strong>{}</strong> {}", answer, notes.pop(exchange.name, ""))
    return asked, _part("talk-answer", "\n".join(exchange.answer), heading)


def _asked(exchange: Exchange, notes: Notes) -> Iterator[SafeString]:
    """Give each part with a note its own lines; those without stand together."""
    parts = [(notes.pop(name, SafeString("")), name, lines) for name, lines in exchange.asked]
    for note, group in groupby(parts, lambda part: part[0]):
        yield _part("talk-asked", "\n".join(line for *_, lines in group for line in lines), note)


def _part(kind: str, lines: str, note: SafeString) -> SafeString:
    told = format_html('<p class="talk-note">{}</p>', note) if note else ""
    return format_html('<div class="talk {}"><pre>{}</pre>{}</div>', kind, lines, told)
