"""Template tags of the guides: drawings (``{% figure %}``) and example conversations (``{% conversation %}``)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from django import template
from django.template import Context, TemplateSyntaxError
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from core.variants import table_sizes
from games.guide.conversation import Exchange
from games.registry import game_named
from games.words import ruleset_title
from ladder.guides import guide_conversation, guide_drawing

register = template.Library()

Notes = dict[str, SafeString]
"""Explanations of the parts of a conversation, by the names of the parts."""


@register.simple_block_tag(takes_context=True)
def figure(context: Context, content: SafeString, name: str, alt: str) -> SafeString:
    """Render a drawing of the page's game; the content of the block becomes its caption."""
    image = guide_drawing(context["game"]["name"], name, alt)
    return format_html('<figure class="drawing">{}<figcaption>{}</figcaption></figure>', image, content)


@register.simple_tag
def variants_of(game: str, language: str) -> list[dict[str, str]]:
    """Return name, title and table sizes of each ruleset of a game; none if it has one ruleset and one table size."""
    rules = game_named(game)
    sizes = {ruleset: table_sizes(rules, ruleset) for ruleset in rules.rulesets}
    if sum(map(len, sizes.values())) == 1:
        return []
    return [
        {"name": name, "title": ruleset_title(game, name, language), "sizes": ", ".join(map(str, sorted(each)))}
        for name, each in sizes.items()
    ]


@register.simple_block_tag(takes_context=True)
def conversation(context: Context, content: SafeString, question: str, answer: str) -> SafeString:
    """Render the example conversation between bot and referee of the page's game.

    The block holds a line ``name: explanation`` for each part of the questions and answers. The explanation is shown at
    the first occurrence of its part.

    Args:
        context: context of the page.
        content: the rendered block.
        question: heading of each question; its number follows.
        answer: heading of each answer.

    Raises:
        TemplateSyntaxError: the block explains a part that the conversation does not have.
    """
    lines = (line.partition(": ") for line in map(str.strip, content.splitlines()) if line)
    notes = {name: SafeString(text) for name, _, text in lines}
    rendered = [
        format_html(
            '<h3 class="talk-turn">{} {}</h3>{}{}', question, exchange.number, *_exchange(exchange, answer, notes)
        )
        for exchange in guide_conversation(context["game"]["name"])
    ]
    if notes:
        raise TemplateSyntaxError(f"The conversation has no part {next(iter(notes))!r}.")
    return format_html_join("", "{}", ((each,) for each in rendered))


def _exchange(exchange: Exchange, answer: str, notes: Notes) -> tuple[SafeString, SafeString]:
    asked = format_html_join("", "{}", ((part,) for part in _asked(exchange, notes)))
    heading = format_html("<strong>{}</strong> {}", answer, notes.pop(exchange.name, ""))
    return asked, _part("talk-answer", "\n".join(exchange.answer), heading)


def _asked(exchange: Exchange, notes: Notes) -> Iterator[SafeString]:
    """Yield each part that has a note on its own, and neighbouring parts without a note as one."""
    parts = [(notes.pop(name, SafeString("")), name, lines) for name, lines in exchange.asked]
    for note, group in groupby(parts, lambda part: part[0]):
        yield _part("talk-asked", "\n".join(line for *_, lines in group for line in lines), note)


def _part(kind: str, lines: str, note: SafeString) -> SafeString:
    explanation = format_html('<p class="talk-note">{}</p>', note) if note else ""
    return format_html('<div class="talk {}"><pre>{}</pre>{}</div>', kind, lines, explanation)
