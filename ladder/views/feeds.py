"""The Atom feeds of bots and people."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.one_time import reads_no_session
from accounts.selectors.users import user_named
from contests.headers import page_contest_set
from ladder.feeds import ENTRIES_MAX, event_entry, feed_response
from ladder.selectors.bots import bot_for_reader
from ladder.selectors.follows import events_of_bot, events_of_person


@reads_no_session
@require_safe
def bot_feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve what a bot did: versions, close matches, places, leagues and tournaments."""
    bot = bot_for_reader(pk=pk, reader=AnonymousUser())
    if bot is None:
        raise Http404(_("There is no such bot."))
    page_contest_set(request, bot.contest)
    entries = map(event_entry, events_of_bot(bot=bot)[:ENTRIES_MAX])
    page = reverse("ladder:bot", args=[pk])
    return feed_response(request, key=f"bot-{pk}", title=bot.name, page=page, entries=entries)


@reads_no_session
@require_safe
def person_feed(request: HttpRequest, name: str) -> HttpResponse:
    """Serve what a person's bots did in public contests."""
    person = user_named(name=name)
    if person is None:
        raise Http404(_("There is no such user."))
    events = events_of_person(person=person, reader=AnonymousUser())[:ENTRIES_MAX]
    entries = [event_entry(event, contest=True) for event in events]
    page = reverse("ladder:profile", args=[person.username])
    return feed_response(request, key=f"user-{person.pk}", title=person.username, page=page, entries=entries)
