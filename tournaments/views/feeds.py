"""The Atom feed of a contest."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.one_time import reads_no_session
from contests.headers import page_contest_set
from contests.models import Contest
from contests.selectors.contests import contest_at
from ladder.feeds import ENTRIES_MAX, FeedEntry, event_entry, feed_response
from ladder.selectors.announcements import announcements_current
from ladder.selectors.follows import leaders_of
from tournaments.selectors.tournaments import tournaments_seen


@reads_no_session
@require_safe
def contest_feed(request: HttpRequest, place: str) -> HttpResponse:
    """Serve what is new in a contest: tournaments, announcements, and bots that take the first place."""
    contest = contest_at(place=place, reader=AnonymousUser())
    if contest is None:
        raise Http404(_("There is no such contest."))
    page_contest_set(request, contest)
    leaders = map(event_entry, leaders_of(contest=contest)[:ENTRIES_MAX])
    entries = [*leaders, *_announcements(contest), *_tournaments(contest)]
    page = reverse("ladder:board", args=[contest])
    return feed_response(request, key=f"contest-{contest.pk}", title=str(contest), page=page, entries=entries)


def _announcements(contest: Contest) -> Iterator[FeedEntry]:
    page = reverse("ladder:board", args=[contest])
    for row in announcements_current():
        if row.contest_id == contest.pk:
            yield FeedEntry(f"announcement-{row.pk}", str(row), page, row.shown_from, row.text)


def _tournaments(contest: Contest) -> Iterator[FeedEntry]:
    for row in tournaments_seen(contest=contest, reader=AnonymousUser())[:ENTRIES_MAX]:
        page = reverse("tournaments:tournament", args=[contest, row.slug])
        steps = (
            ("announced", row.created_at, _("The tournament %(tournament)s is announced.")),
            ("begun", row.started_at, _("The tournament %(tournament)s has begun.")),
            ("over", row.released_at, _("The tournament %(tournament)s is over: all its results are public.")),
        )
        for key, at, title in steps:
            if at is not None:
                yield FeedEntry(f"tournament-{row.pk}-{key}", title % {"tournament": row.title}, page, at)
