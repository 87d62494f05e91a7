"""Arenas with several contests, with the real services: who gets the workers, from the first match on.

Matches are paired, handed out, and end at random among those that workers have; the better bot wins by Elo's formula.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from pytest_django import Settings

from contests.models import Contest
from jobs import sending
from jobs.services.dispatching import queue_dispatch
from ladder.models import Bot, BotVersion
from matches.models import Match
from matches.services.match_jobs import MATCHES
from matches.services.pairing import contests_to_pair, matches_pair
from matches.services.ratings import ratings_refit
from rating.fit import PROVISIONAL_GAMES, expected_score
from tests.contests.playing import make_contest, make_entry
from tests.ladder.makers import make_rating
from tests.matches.makers import with_replay
from wire.jobs import MatchReport, SeatReport

pytestmark = [pytest.mark.django_db, pytest.mark.test_all]

PROCESSES = 4
HOUSE = [700.0, 1_000.0, 1_200.0, 1_350.0, 1_500.0, 1_650.0]
LOSES_ALWAYS = -5_000.0


class Arena:
    """Contests whose bots have known strengths; random numbers decide matches."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(7)
        self.strength: dict[int, float] = {}
        self.played = Counter[str]()
        """Number of matches that have ended in each contest."""
        self.games = Counter[int]()
        """Number of matches of each version."""
        self.fit_every = 10
        """Number of matches between two fits of a contest."""

    def contest(self, slug: str) -> Contest:
        """Open a contest with house bots."""
        contest = make_contest(slug)
        for number, strength in enumerate(HOUSE):
            self.enter(contest, f"{slug} {number}", strength, is_house=True)
        return contest

    def enter(self, contest: Contest, name: str, strength: float, *, is_house: bool = False) -> BotVersion:
        """Enter a new bot of an owner of its own."""
        version = make_entry(contest, name, artifact_digest=f"{len(self.strength):064x}")
        if is_house:
            Bot.objects.filter(pk=version.bot_id).update(is_house=True, declared_rating=strength)
        self.strength[version.pk] = strength
        return version

    def play(self, matches: int) -> Counter[str]:
        """Play at least so many matches, fewer if no more are paired, and return how many in each contest."""
        before, left = self.played.copy(), matches
        while left > 0 and (out := self._handed_out()):
            for place in self.rng.permutation(len(out))[: -(-len(out) // 2)]:
                self._finish(out[place])
                left -= 1
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
        MATCHES.record(report=with_replay(match, report))
        self.games.update(versions)
        self.played[match.contest_id] += 1
        if self.played[match.contest_id] % self.fit_every == 0:
            ratings_refit(contest=match.contest_id)


@pytest.fixture
def arena(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Arena:
    settings.PROCESSES_ASSUMED, settings.MATCHES_IN_FLIGHT = PROCESSES, 2 * PROCESSES
    monkeypatch.setattr(sending, "send", lambda app, task, message, **_: None)
    return Arena()


def test_one_visitor_on_five_fresh_games_starves_no_house_bot(arena: Arena) -> None:
    """Within its first minute such a bot had played 572 matches, and the four other games together 44."""
    contests = [arena.contest(f"game{number}") for number in range(5)]
    arena.play(10)
    visitor = arena.enter(contests[0], "visitor", LOSES_ALWAYS)
    while arena.games[visitor.pk] < PROVISIONAL_GAMES:
        assert arena.play(PROCESSES)
    assert sum(arena.played.values()) <= 450, "nobody was before it but house bots' first matches"
    while max(arena.games.values()) < 100 and arena.play(PROCESSES):
        pass
    house = [arena.games[version] for version in arena.strength if version != visitor.pk]
    assert min(house) >= PROVISIONAL_GAMES


def test_contests_of_5_50_and_500_bots_share_the_workers(arena: Arena) -> None:
    arena.fit_every = 1_000  # they have their ratings and numbers of matches already
    for bots in (5, 50, 500):
        contest = make_contest(f"of-{bots}")
        for number in range(bots):
            version = arena.enter(contest, f"{bots} {number}", 1_000.0 + 1_000.0 * number / bots)
            make_rating(version, arena.strength[version.pk], standard_error=90.0, games=30)
    played = arena.play(60)
    assert all(15 <= played[f"of-{bots}"] <= 25 for bots in (5, 50, 500)), played
    large = Contest.objects.get(slug="of-500")
    newcomers = [arena.enter(large, f"newcomer {number}", 1_500.0).pk for number in range(20)]
    played = arena.play(60)
    assert all(15 <= played[f"of-{bots}"] <= 25 for bots in (5, 50, 500)), "newcomers elsewhere cost nobody its share"
    assert sum(arena.games[version] for version in newcomers) >= 8, "they come first in their contest"


def test_while_a_contest_has_nothing_to_play_the_others_have_its_share(arena: Arena) -> None:
    resting, playing = make_contest("resting"), make_contest("playing")
    for number, strength in enumerate((1_000.0, 2_000.0)):
        make_rating(arena.enter(resting, f"r{number}", strength), strength, standard_error=20.0, games=30)
    for number in range(8):
        arena.enter(playing, f"p{number}", 1_500.0)
    assert set(arena.play(20)) == {"playing"}
