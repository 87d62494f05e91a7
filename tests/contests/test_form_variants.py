"""Each variant of the games is one form away: contests made by the form, in which house bots play real matches.

House bots are built by the real builder in the real sandbox, with files from the site's own web server.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.test import Client
from pytest_django import Settings

import sandbox
from contests.models import Contest
from core.replay import decode
from games.replays import verify
from ladder.models import BotVersion, Rating
from ladder.services.builds import BUILDS
from ladder.services.housebots import housebots_load
from matches.models import Match, Result
from matches.selectors.matches import replay_read
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair
from matches.services.ratings import ratings_refit
from tests.ladder.makers import make_user
from wire.jobs import AGAIN_MAX
from workers.artifacts import ArtifactCache, Transfer
from workers.build import version_build
from workers.play import Tools, match_play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.test_all]

MIXED = {"ruleset": "contest", "table_2": "1", "table_3": "1", "table_4": "2", "option_rounds": "4"}
VARIANTS = {
    "mixed-tables": ("back_to_the_code", MIXED, ("random", "greedy", "recar", "olaf69")),
    "league-0": ("wondev_woman", {"ruleset": "league0"}, ("random", "one_ply")),
    "league-1": ("wondev_woman", {"ruleset": "league1"}, ("random", "one_ply")),
    "league-2": ("wondev_woman", {"ruleset": "league2"}, ("random", "one_ply")),
    "league-3": ("wondev_woman", {"ruleset": "league3"}, ("random", "one_ply")),
    "smash-the-code": ("puyo", {"ruleset": "smash_the_code"}, ("scatter", "smasher")),
    "order-mode": ("attack25", {"ruleset": "order", "table_4": "1"}, ("random", "corners", "panels", "bidder")),
    "enclosure-2020": ("kakomimasu", {"ruleset": "2020", "table_2": "1", "option_turns": "8"}, ("random", "ring")),
}
"""By the key of the contest: the game, what is typed into the form, and the house bots that the test builds."""


@pytest.fixture
def tools(bubblewrap: str, tmp_path: Path) -> Iterator[Tools]:
    """A worker's sandbox and transfers."""
    isolation = sandbox.backend("bubblewrap", ahead=2)
    transfer = Transfer()
    yield Tools(isolation, transfer, ArtifactCache(tmp_path / "cache", transfer), "tester")
    isolation.close()


@pytest.mark.parametrize("slug", VARIANTS)
def test_a_variant_is_made_by_the_form_and_played(
    slug: str, client: Client, settings: Settings, site_url: str, tools: Tools
) -> None:
    game, typed, names = VARIANTS[slug]
    settings.MATCHES_IN_FLIGHT, settings.PROCESSES_ASSUMED, settings.GAMES = 8, 0, [game]
    client.force_login(make_user("chief", is_staff=True))
    fields = {"slug": slug, "title": slug, "visibility": "public", "has_house_bots": "on", **typed}
    assert client.post(f"/contests/new/?game={game}", fields).status_code == 302
    assert client.post(f"/contests/{slug}/desk/open/").status_code == 302
    contest = Contest.objects.get(slug=slug)
    assert contest.state == "open"

    housebots_load()
    versions = BotVersion.objects.filter(bot__contest=slug, bot__name__in=names).select_related("bot__contest")
    assert {version.bot.name for version in versions} == set(names)
    for version in versions:
        report = version_build(BUILDS.messages([version])[version.pk], tools, lambda step: None)
        assert (report.platform_fault, report.failed_step) == (None, None), report
        BUILDS.record(report=report)
        version.refresh_from_db()
        assert version.state == "active"

    sizes = {int(name.removeprefix("table_")) for name, share in typed.items() if name.startswith("table_") and share}
    played = set[int]()
    while not played >= (sizes or {2}):
        assert matches_pair(contest=slug)
        for match in Match.objects.filter(state="queued").order_by("pk"):
            size = match.seats.count()
            if size in played:
                Match.objects.filter(pk=match.pk).delete()
                continue
            played.add(size)
            play(match, contest, tools)
    assert played == (sizes or {2})
    assert ratings_refit(contest=slug)
    assert Rating.objects.filter(contest=slug).count() == len(names) or len(sizes) == 1


def play(match: Match, contest: Contest, tools: Tools) -> None:
    """Play a match as a worker does; no bot may be at fault, and the replay must verify."""
    job = MATCHES.messages([match])[match.pk]
    # As a later attempt, which counts even if a bot had to wait for a core of this busy machine.
    report = match_play(msgspec.structs.replace(job, attempt=AGAIN_MAX + 1), tools)
    assert report.platform_fault is None, report
    MATCHES.record(report=report)
    match.refresh_from_db()
    assert match.state == "finished"
    assert not match.seats.exclude(verdict="").exists(), list(match.seats.values("version__bot__name", "verdict"))
    replay = replay_read(digest=Result.objects.get(match=match).replay_digest)
    verify(replay)
    header: dict[str, Any] = decode(replay)[0]
    assert header["options"] == match.options
