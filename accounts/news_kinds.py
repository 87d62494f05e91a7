"""The kinds of news: of notifications, and of what bots did. Each app registers its own; none needs a migration.

Rows of news store the name of their kind, and values. Sentence and url are made of them for each reader.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.functional import Promise

Values = Mapping[str, Any]


class Topic(NamedTuple):
    """What news is about: owners of webhooks choose the topics that are sent to them."""

    name: str
    title: str | Promise


@dataclass(frozen=True, slots=True)
class NewsKind:
    """A kind of news."""

    name: str
    """The key of the kind, which rows store; at most 20 characters."""
    text: Callable[[Values], str]
    """Returns the sentence in the active language."""
    url: Callable[[Values], str]
    """Returns the url of the page that the news is about."""
    title: str | Promise = ""
    """What has happened, in a few words; empty for news of bots that notifies nobody by itself."""
    topic: Topic | None = None
    """For which topic of webhooks a notification is sent to them; None: it is not."""
    for_staff: bool = False
    """Whether administrators are notified about house bots, because they have to act."""
    for_followers: bool = False
    """Whether those who follow a bot are notified of what it did; other news stands in their feed alone."""


_kinds: dict[str, NewsKind] = {}


def news_kinds_register(*kinds: NewsKind) -> None:
    """Register kinds of news; for the module ``news`` of an app."""
    _kinds.update({kind.name: kind for kind in kinds})


def news_kind(name: str) -> NewsKind:
    """Return the kind with a name.

    Raises:
        KeyError: no app has registered it.
    """
    return _kinds[name]


def notification_choices() -> list[tuple[str, str | Promise]]:
    """Return name and title of each kind of notification, in the order of the apps."""
    return [(kind.name, kind.title) for kind in _kinds.values() if kind.title]


def topic_choices() -> list[Topic]:
    """Return the topics, in the order of the apps."""
    return list(dict.fromkeys(kind.topic for kind in _kinds.values() if kind.topic))


def filled(sentence: str | Promise = "", **by_outcome: str | Promise) -> Callable[[Values], str]:
    """Return a function that fills a sentence with values.

    Values with an ``outcome`` fill the sentence that ``by_outcome`` has for it; values without one fill ``sentence``.
    """
    return lambda values: str(by_outcome[values["outcome"]] if values.get("outcome") else sentence) % values
