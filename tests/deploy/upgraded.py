"""``python -m tests.deploy.upgraded fill|look|go_on``: an arena before and after an upgrade.

``fill`` writes into an empty arena what users, organisers and workers make, ``go_on`` plays on what it has begun, and
``look`` prints as JSON what readers see. The settings come from the environment; a release runs its own module.
"""

from __future__ import annotations

import json
import sys
from datetime import timedelta
from functools import partial
from http import HTTPStatus
from typing import Any

import django

GAMES = ("attack25", "back_to_the_code", "puyo", "wondev_woman")
"""The games of random matches; Kakomimasu has all other ones."""


def fill() -> None:
    """Fill the arena: bots, matches of each game, contests, tournaments, tables, tries and what hangs on them."""
    from accounts.models import User
    from contests.models import Contest
    from ladder.models import Announcement
    from ladder.services.announcements import announcement_save
    from ladder.services.follows import follow_begin
    from ladder.services.uploads import version_create
    from matches.services.ratings import ratings_refit
    from tests.contests.playing import make_entry
    from tests.ladder.makers import an_upload, make_user
    from tests.matches.makers import finish_match, make_match, make_version, queue_match, random_records
    from workshop.services.drafts import draft_save

    for game in GAMES:
        records = random_records(game)
        entries = [make_entry(Contest.objects.get(pk=game), name) for name in "ABCD"[: len(records[0]["seats"])]]
        finish_match(make_match(*entries, game=game), records)
    # A board of unequal bots, and a match that waits for a worker.
    versions = [make_version(name) for name in ("Moat", "Keep", "Tower")]
    for seats in ((0, 1), (1, 2), (0, 2), (2, 0)):
        finish_match(make_match(*(versions[seat] for seat in seats)))
    queue_match(versions[0].pk, versions[1].pk)
    alice, admin = make_user("alice"), User.objects.get(username="admin")
    version_create(owner=alice, contest="kakomimasu", name="Orbit", upload=an_upload())
    files = {"main.py": "print('NONE')\n"}
    draft_save(owner=alice, contest=Contest.objects.get(pk="kakomimasu"), language="python", files=files)
    follow_begin(follower=alice, about=versions[0].bot)
    announcement_save(announcement=Announcement(text="The finals begin."), actor=admin)
    contests_fill()
    tournaments_fill()
    tables_fill()
    tries_fill(alice)
    for contest in Contest.objects.all():
        ratings_refit(contest=contest.pk)


def contests_fill() -> None:
    """Begin a private contest with its people, and end another one, whose board is signed."""
    from django.utils import timezone

    from contests.models import Contest
    from contests.services.contests import contest_transition
    from contests.services.invitations import invitation_create
    from contests.services.teams import team_create
    from matches.services.final_boards import final_boards_sign
    from tests.contests.playing import make_contest, make_entry, make_member
    from tests.matches.finals import field, play_to_the_end

    summer = make_contest("summer", visibility="private")
    olga, paul = make_member(summer, "olga", "organiser"), make_member(summer, "paul")
    team_create(contest=summer, user=paul, name="Team Paul")
    invitation_create(contest=summer, actor=olga, days=7, uses_max=5)
    make_entry(summer, "Omega")
    field()
    contest_transition(contest="spring", to=Contest.State.FROZEN, actor=None)
    late = timezone.now() + timedelta(hours=1)  # no upload that came in time can still be on its way
    play_to_the_end(partial(final_boards_sign, at=late))


def tournaments_fill() -> None:
    """Play a tournament to its end, and the first round of one whose results are hidden."""
    from ladder.models import BotVersion
    from tests.contests.playing import make_contest
    from tests.tournaments.playing import begin, play_out

    make_contest("cups")
    play_out(begin(contest="cups", slug="cup"))
    entrants = list(BotVersion.objects.filter(bot__contest="cups").order_by("pk"))
    swiss = [{"format": "swiss", "rounds": 3}]
    play_out(begin(contest="cups", slug="hidden", stages=swiss, entrants=entrants, results="at_end"), rounds=1)


def tables_fill() -> None:
    """Play a table to its end, and begin another one."""
    from tests.exhibitions.makers import finish, make_player, make_table, table_begin
    from tests.matches.makers import make_version

    bot = make_version("Beta")
    tables = [make_table(make_player(), bot=bot) for _ in range(2)]
    for opened in tables:
        table_begin(opened.match)
    finish(tables[0].match)


def tries_fill(owner: Any) -> None:
    """Play a try to its end, and begin another one."""
    from tests.workshop.makers import make_try, reached, report_of
    from workshop.services.tries import TRIES

    tried = make_try(owner)
    reached(tried, "build")
    TRIES.record(report=report_of(tried))
    make_try(owner)


def go_on() -> None:
    """Compute the ratings anew, and play to the end what was begun: a tournament, a table and a match."""
    from django.core.management import call_command

    from matches.models import Match
    from tests.exhibitions import makers as tables
    from tests.tournaments import makers as waiting
    from tests.tournaments.playing import play_out
    from tournaments.models import Tournament

    call_command("ratings", "rebuild", "--check")
    hidden = Tournament.objects.get(slug="hidden")
    play_out(hidden)
    assert hidden.state == Tournament.State.FINISHED
    tables.finish(Match.objects.get(kind=Match.Kind.EXHIBITION, state=Match.State.RUNNING))
    waiting.finish(Match.objects.get(contest="kakomimasu", kind=Match.Kind.LADDER, state=Match.State.QUEUED), [1, 2])


def look() -> dict[str, Any]:
    """Return the status of pages, the text of boards, and what is wrong with replays."""
    from django.contrib.auth.models import AnonymousUser
    from django.test import Client
    from django.urls import reverse

    from contests.models import Contest
    from matches.models import Match
    from tournaments.models import Tournament

    client = Client(SERVER_NAME="localhost")
    matches = list(Match.objects.visible_to(AnonymousUser()).order_by("pk"))
    pages = ["/", *(reverse("matches:match", args=[match.pk]) for match in matches)]
    public = Contest.objects.filter(visibility="public").order_by("pk")
    boards = [reverse("ladder:board_download", args=[contest, "csv"]) for contest in public]
    cups = Tournament.objects.order_by("pk").values_list("contest", "slug")
    boards += [f"/api/v1/contests/{contest}/tournaments/{slug}/standings/" for contest, slug in cups]
    answers = {url: client.get(url, secure=True) for url in [*pages, *boards]}
    return {
        "wrong": {url: answer.status_code for url, answer in answers.items() if answer.status_code != HTTPStatus.OK},
        "boards": {url: answers[url].content.decode() for url in boards},
        "replays": [replay_read_through(match) for match in matches if _has_own_replay(match)],
    }


def _has_own_replay(match: Any) -> bool:
    # What a maker writes in the place of a worker at a table is no real replay.
    return match.kind != "exhibition" and hasattr(match, "result") and bool(match.result.replay_digest)


def replay_read_through(match: Any) -> str:
    """Open the replay of a match, verify it and draw it as text and as a picture; return its digest.

    Raises:
        Exception: it cannot be.
    """
    from banzuke.frames import Frames
    from games.replays import verify
    from matches.pictures import match_picture
    from matches.selectors.matches import replay_read, replay_records

    digest: str = match.result.replay_digest
    verify(replay_read(digest=digest))
    records = replay_records(digest=digest)
    frames = Frames(iter(records))
    assert frames.reach(len(records)) == len(records) - 1
    assert match_picture(match=match).startswith(b"\x89PNG")
    return digest


if __name__ == "__main__":
    django.setup()
    if sys.argv[1] == "look":
        sys.stdout.write(json.dumps(look()))
    else:
        {"fill": fill, "go_on": go_on}[sys.argv[1]]()
