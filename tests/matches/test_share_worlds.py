"""Arenas with several contests, with the real services: who gets the workers, from the first match on.

Matches are paired, handed out, and end at random among those that workers have; the better bot wins by Elo's formula.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np
import pytest
from pytest_django import Settings

from contests.models import Contest
from jobs import sending
from jobs.services.dispatching import queue_dispatch
from ladder.models import BotVersion, Rating
from matches.models import Match, Seat
from matches.services.lifecycle import match_record_result
from matches.services.pairing import contests_to_pair, matches_pair
from matches.services.ratings import ratings_refit
from rating import PROVISIONAL_GAMES, expected_score
from tests.contests.playing import make_contest
from tests.ladder.makers import make_bot, make_rating, make_user, make_version
from tests.matches.makers import with_replay
from wire.jobs import MatchReport, SeatReport

pytestmark = pytest.mark.django_db

PROCESSES = 2
HOUSE = [700.0, 1_000.0, 1_200.0, 1_350.0, 1_500.0, 1_650.0]
LOSES_ALWAYS, WINS_ALWAYS = -5_000.0, 9_000.0
FIT_EVERY = 10
"""Matches between two fits of a contest, as many as end on an idle arena in the seconds between."""


class Arena:
    """Contests whose bots have known strengths; random numbers decide matches."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(7)
        self.strength: dict[int, float] = {}
        self.played = Counter[str]()
        """Number of matches that have ended in each contest."""
        self.games = Counter[int]()
        """Number of matches of each version."""

    def contest(self, slug: str, strengths: Iterable[float] = HOUSE, *, is_house: bool = True) -> Contest:
        """Open a contest with new bots; people's bots have an owner each."""
        contest = make_contest(slug)
        for number, strength in enumerate(strengths):
            self.enter(contest, f"{slug} {number}", strength, is_house=is_house)
        return contest

    def enter(self, contest: Contest, name: str, strength: float, *, is_house: bool = False) -> BotVersion:
        """Enter a new bot."""
        fields = {"is_house": True, "declared_rating": strength} if is_house else {}
        bot = make_bot(name, make_user(f"owner of {name}"), **fields)
        type(bot).objects.filter(pk=bot.pk).update(contest=contest)
        bot.refresh_from_db()
        version = make_version(bot, artifact_digest=f"{len(self.strength):064x}")
        self.strength[version.pk] = strength
        return version

    def play(self, matches: int) -> Counter[str]:
        """Play so many matches, fewer if no more are paired, and return how many in each contest."""
        before = self.played.copy()
        for _ in range(matches):
            out = self._handed_out()
            if not out:
                break
            self._finish(out[self.rng.integers(len(out))])
        return self.played - before

    def _handed_out(self) -> list[Match]:
        """Return the matches that workers have, after all contests were paired."""
        for contest in contests_to_pair():
            matches_pair(contest=contest)
        queue_dispatch()
        return list(Match.objects.filter(state=Match.State.QUEUED, notified_at__isnull=False).order_by("pk"))

    def _finish(self, match: Match) -> None:
        versions = [seat.version_id for seat in match.seats.order_by("index")]
        one, other = (self.strength[version] for version in versions)
        won = self.rng.random() < expected_score(one, other)
        seats = [SeatReport(1 if first else 2, float(first), 1.0, 1.0) for first in (won, not won)]
        report = MatchReport(match.pk, match.attempt, match.lease_token, "worker", 30, seats, None)
        match_record_result(report=with_replay(match, report))
        self.games.update(versions)
        self.played[match.contest_id] += 1
        if self.played[match.contest_id] % FIT_EVERY == 0:
            ratings_refit(contest=match.contest_id)


@pytest.fixture
def arena(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Arena:
    settings.PROCESSES_ASSUMED, settings.MATCHES_IN_FLIGHT = PROCESSES, 4 * PROCESSES
    monkeypatch.setattr(sending, "send", lambda app, task, message, signature: None)
    return Arena()


@pytest.mark.parametrize("strength", [LOSES_ALWAYS, WINS_ALWAYS], ids=["all losses", "all wins"])
def test_a_bot_that_loses_to_or_beats_all_gives_its_turns_up(arena: Arena, strength: float) -> None:
    """It had stopped after 750 matches, at ± 230."""
    contest = arena.contest("spring")
    arena.play(250)
    house_before = arena.games.copy()
    visitor = arena.enter(contest, "visitor", strength)
    first = arena.play(200)
    assert arena.games[visitor.pk] <= 110
    assert sum(first.values()) < 200, "the arena has come to rest"
    rating = Rating.objects.get(version=visitor)
    assert 1.96 * rating.standard_error > 150, "its interval is wide"
    others = Rating.objects.filter(contest=contest).exclude(pk=rating.pk).values_list("rating", flat=True)
    assert rating.rating < min(others) if strength == LOSES_ALWAYS else rating.rating > max(others)
    assert min(house_before.values()) >= PROVISIONAL_GAMES


def test_one_visitor_on_five_fresh_games_starves_no_house_bot(arena: Arena) -> None:
    """Within its first minute such a bot had played 572 matches, and the four other games together 44."""
    contests = [arena.contest(f"game{number}") for number in range(5)]
    arena.play(10)
    visitor = arena.enter(contests[0], "visitor", LOSES_ALWAYS)
    while arena.games[visitor.pk] < PROVISIONAL_GAMES:
        assert arena.play(5)
    assert sum(arena.played.values()) <= 250, "its first matches came at once: a fifth of all was its contest's"
    while max(arena.games.values()) < 100 and arena.play(5):
        pass
    house = [arena.games[version] for version in arena.strength if version != visitor.pk]
    assert min(house) >= PROVISIONAL_GAMES
    arena.play(2_000)
    house = [arena.games[version] for version in arena.strength if version != visitor.pk]
    assert min(house) >= 64
    assert arena.games[visitor.pk] <= 110


def test_contests_of_5_50_and_500_bots_share_the_workers(arena: Arena) -> None:
    for bots in (5, 50, 500):
        contest = arena.contest(f"of-{bots}", [1_000.0 + 1_000.0 * n / bots for n in range(bots)], is_house=False)
        for version in BotVersion.objects.filter(bot__contest=contest):
            make_rating(version, arena.strength[version.pk], standard_error=90.0, games=30)
    played = arena.play(60)
    assert all(15 <= played[f"of-{bots}"] <= 25 for bots in (5, 50, 500)), played
    for number in range(20):
        arena.enter(Contest.objects.get(slug="of-500"), f"newcomer {number}", 1_500.0)
    played = arena.play(60)
    assert all(15 <= played[f"of-{bots}"] <= 25 for bots in (5, 50, 500)), "newcomers elsewhere cost nobody his share"
    newcomers = Seat.objects.filter(version__bot__name__startswith="newcomer", match__finished_at__isnull=False)
    assert newcomers.values("match").distinct().count() >= 10, "they come first in their contest"


def test_while_a_contest_has_nothing_to_play_the_others_have_its_share(arena: Arena) -> None:
    arena.contest("resting", [1_000.0, 2_000.0], is_house=False)
    for version in list(arena.strength):
        make_rating(BotVersion.objects.get(pk=version), arena.strength[version], standard_error=20.0, games=30)
    arena.contest("playing", [1_500.0] * 8, is_house=False)
    assert arena.play(30) == {"playing": 30}
