"""Atom feeds (RFC 4287), by which programs learn what is new. They hold only what guests may see.

The attack: somebody subscribes by a browser that is signed in, and a shared reader of feeds shows everybody what
members of a private contest alone may see. So no feed reads the session.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape
from django.utils.translation import get_language

from accounts.mails import public_url
from common.sheets import etag_of
from ladder.models import BotEvent

ENTRIES_MAX = 50
CONTENT_TYPE = "application/atom+xml; charset=utf-8"
_FORBIDDEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that XML cannot hold. The attack: an announcement with one of them, and its feed is an error for all."""


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One entry of a feed."""

    key: str
    """Identifies it on this site for ever: no name that may change."""
    title: str
    url: str
    """The path of the page that it is about."""
    at: datetime
    text: str = ""


def event_entry(event: BotEvent, *, contest: bool = False) -> FeedEntry:
    """Return the entry of an event, with its bot's contest in front if ``contest`` is set."""
    title = f"{event.bot.contest}: {event.text}" if contest else event.text
    return FeedEntry(f"event-{event.pk}", title, event.url, event.at)


def feed_response(
    request: HttpRequest, *, key: str, title: str, page: str, entries: Iterable[FeedEntry]
) -> HttpResponse:
    """Return a feed, or 304 if the reader's copy is still the same. It has the newest ``ENTRIES_MAX`` of ``entries``.

    ``page`` is the path of the page that the feed belongs to. ``key`` identifies the feed on this site for ever, also
    after a rename, as the keys of entries do.
    """
    feed = Atom1Feed(
        title=_plain(f"{title} · Banzuke"),
        link=public_url(page),
        description=None,
        language=get_language(),
        feed_url=public_url(request.path),
        feed_guid=_lasting_id(key),
        author_name="Banzuke",
    )
    for entry in sorted(entries, key=lambda entry: entry.at, reverse=True)[:ENTRIES_MAX]:
        feed.add_item(
            title=_plain(entry.title),
            link=public_url(entry.url),
            description=escape(_plain(entry.text or entry.title)),  # readers take it for HTML
            unique_id=_lasting_id(entry.key),
            pubdate=entry.at,
            updateddate=entry.at,
        )
    content = feed.writeString("utf-8").encode()
    etag = etag_of(content)
    response = get_conditional_response(request, etag=etag) or HttpResponse(content, content_type=CONTENT_TYPE)
    response["ETag"] = etag
    response["Cache-Control"] = "public, no-cache"
    return response


def _lasting_id(key: str) -> str:
    """Return the id of a feed or an entry. Readers show an entry again whose id changes, so it holds no name."""
    return f"{public_url('/')}#{key}"


def _plain(text: str) -> str:
    return _FORBIDDEN.sub("", text)
