"""Small arenas from their first minute on, with the real services: no bot is ranked above a better rating."""

from __future__ import annotations

import numpy as np
import pytest
from pytest_django import Settings

from ladder.leagues import BOTS_MIN, NAMES
from ladder.models import BotVersion, Rating
from ladder.selectors.boards import BoardFilter, board_all, board_page, version_rank
from ladder.selectors.overall import overall_board
from matches.models import Match
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair
from matches.services.ratings import ratings_refit
from rating.fit import PROVISIONAL_GAMES, expected_score
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches.makers import with_replay
from wire.jobs import MatchReport, SeatReport

pytestmark = [pytest.mark.django_db, pytest.mark.test_all]

GAME = "kakomimasu"
WIDE = 800.0
"""Elo points between neighbours: the better one loses one match in a hundred."""
WORLDS = {
    "5 bots, each far above the next": [700.0 + WIDE * place for place in range(5)],
    "8 equal bots": [1_500.0] * 8,
    "8 bots, the best far above the others": [700.0, 720.0, 1_000.0, 1_010.0, 1_020.0, 1_300.0, 1_310.0, 2_250.0],
    "30 bots of five levels": [700.0 + 200 * (place // 6) for place in range(29)] + [2_000.0],
}


class Arena:
    """A game whose bots have known strengths, three of them house bots; random numbers decide matches."""

    def __init__(self, strengths: list[float]) -> None:
        self.rng = np.random.default_rng(7)
        self.strength: dict[int, float] = {}
        house = {0, len(strengths) // 2, len(strengths) - 2}
        for number, strength in enumerate(strengths):
            fields = {"is_house": True, "declared_rating": strength} if number in house else {}
            bot = make_bot(f"bot {number}", make_user(f"owner {number}"), **fields)
            self.strength[make_version(bot, artifact_digest=f"{number:064x}").pk] = strength
        self.best = BotVersion.objects.get(pk=max(self.strength, key=lambda pk: (self.strength[pk], pk)))

    def play(self, matches: int) -> None:
        """Play so many matches, in any order."""
        for _ in range(matches):
            waiting = list(Match.objects.filter(state=Match.State.QUEUED).order_by("pk"))
            if not waiting:
                matches_pair(contest=GAME)
                waiting = list(Match.objects.filter(state=Match.State.QUEUED).order_by("pk"))
            self._finish(waiting[self.rng.integers(len(waiting))])

    def _finish(self, match: Match) -> None:
        one, other = (self.strength[seat.version_id] for seat in match.seats.order_by("index"))
        won = self.rng.random() < expected_score(one, other)
        seats = [SeatReport(1 if first else 2, float(first), 1.0, 1.0) for first in (won, not won)]
        report = MatchReport(match.pk, match.attempt, match.lease_token, "worker", 30, seats, None)
        MATCHES.record(report=with_replay(match, report))

    def games_of_the_best(self) -> int:
        return Rating.objects.get(version=self.best).games


@pytest.mark.parametrize("world", WORLDS)
def test_nobody_ever_stands_above_a_better_rating(world: str, settings: Settings) -> None:
    settings.PROCESSES_ASSUMED, settings.MATCHES_IN_FLIGHT = 0, 8
    arena = Arena(WORLDS[world])
    games = 0
    while games < PROVISIONAL_GAMES:  # then a bot whose place is clear rests
        arena.play(max(5, len(arena.strength) // 2))  # the arena fits every few seconds
        ratings_refit(contest=GAME)
        games = arena.games_of_the_best()
        rows = board_all(contest=GAME, chosen=BoardFilter())
        ranked = [row for row in rows if row.rating.games]
        assert [row.rank for row in ranked] == list(range(1, len(ranked) + 1))
        assert rows[: len(ranked)] == ranked, "who has not played stands at the end"
        for part in (ranked, rows[len(ranked) :]):
            assert [row.rating.rating for row in part] == sorted((row.rating.rating for row in part), reverse=True)
        assert all(row.rank is None for row in rows[len(ranked) :])
        assert [row.rank for row in rows] == [version_rank(version=row.version) for row in rows]
        leagues = [NAMES.index(row.league) for row in ranked if row.league]
        assert leagues == sorted(leagues, reverse=True), "nobody is in a league below one who stands lower"
        assert len(rows) >= BOTS_MIN or not leagues
        assert [row.ranks for row in overall_board(games=[GAME])] == [
            [row.rank] for row in ranked if not row.version.bot.is_house
        ]
    assert version_rank(version=BotVersion.objects.get(pk=arena.best.pk)) is not None
    if "far above" in world or "five levels" in world:
        first = board_page(contest=GAME).rows[0]
        assert (first.version, first.rank) == (arena.best, 1)
        assert first.league == (NAMES[3] if "five levels" in world else ""), "the best stands above every boss"
