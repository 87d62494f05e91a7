"""Plays whole tournaments into the database for tests of pages: by the functions of the formats, without workers."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from accounts.models import User
from formats import model
from formats.pairings import pairing_decide
from formats.rounds import next_round
from formats.standings import places
from ladder.models import Bot, BotVersion
from matches.models import Match, Seat
from rating.matchmaking import rotations
from tests.ladder.makers import DIGEST
from tournaments.models import Entrant, Round, Table, TableMatch, TableSeat, Tournament
from tournaments.selectors.loading import tournament_whole

LOTS = 42
SIZES = (2, 3, 4)


def make_field(contest: str, game: str, names: Sequence[str]) -> list[BotVersion]:
    """Make bots of as many owners, each with an active version (in few queries)."""
    owners = User.objects.bulk_create(User(username=f"{contest}-owner-{at}") for at in range(1, len(names) + 1))
    bots = Bot.objects.bulk_create(
        Bot(owner=owner, contest_id=contest, game=game, name=name, name_key=name.lower())
        for owner, name in zip(owners, names, strict=True)
    )
    return BotVersion.objects.bulk_create(
        BotVersion(
            bot=bot,
            number=1,
            state="active",
            artifact_digest=DIGEST,
            bundle_digest=DIGEST,
            bundle_bytes=1,
            language="python",
            upload_name="main.py",
            activated_at=timezone.now(),
        )
        for bot in bots
    )


def make_drawn(versions: Sequence[BotVersion], stages: Sequence[dict[str, Any]], **fields: Any) -> Tournament:
    """Make a running tournament of versions, the strongest first, without rounds."""
    now = timezone.now()
    row: dict[str, Any] = {"slug": "final", "title": "Spring final", "state": "running", "lots": LOTS, "entry": "list"}
    row |= {"drawn_at": now, "started_at": now, "contest_id": versions[0].bot.contest_id, "stages": list(stages)}
    tournament = Tournament.objects.create(**row | fields)
    Entrant.objects.bulk_create(
        Entrant(tournament=tournament, version=version, bot=version.bot, number=number, rating=2000.0 - 10 * number)
        for number, version in enumerate(versions, 1)
    )
    return tournament


def play_rounds(
    tournament: Tournament, rounds: int, *, seed: int = 1, with_matches: bool = False, told: bool = True
) -> bool:
    """Draw and decide rounds: the stronger bot wins more often. Return whether the tournament is over.

    Args:
        tournament: a tournament from ``make_drawn``.
        rounds: how many at most.
        seed: of the results.
        with_matches: whether the tables get finished matches, too.
        told: whether the results are public.
    """
    for _ in range(rounds):
        found = draw_round(tournament, told=told)
        if found is None:
            return True
        decide_round(tournament, found, seed=seed, with_matches=with_matches)
    return False


def draw_round(tournament: Tournament, *, told: bool = True) -> Round | None:
    """Draw the next round with open tables, or return None if all have been played."""
    whole = tournament_whole(tournament=tournament)
    draw = next_round(
        stages=whole.stages, entrants=whole.entrants, decided=whole.decided, lots=tournament.lots, sizes=SIZES
    )
    if draw is None:
        return None
    now = timezone.now()
    row = Round.objects.create(
        tournament=tournament, stage=draw.stage, number=draw.round, released_at=now if told else None
    )
    tables = Table.objects.bulk_create(
        Table(round=row, number=table.number, group=table.group, sources=list(table.sources)) for table in draw.pairings
    )
    TableSeat.objects.bulk_create(
        TableSeat(table=made, index=index, entrant=whole.rows[number])
        for made, table in zip(tables, draw.pairings, strict=True)
        for index, number in enumerate(table.entrants)
    )
    return row


def decide_round(
    tournament: Tournament, row: Round, *, seed: int = 1, with_matches: bool = False, leave_open: int = 0
) -> None:
    """Decide the tables of a round, but the last ``leave_open`` ones."""
    whole = tournament_whole(tournament=tournament)
    dice, stage = random.Random(f"{seed}-{row.stage}-{row.number}"), whole.stages[row.stage]  # noqa: S311
    tables = list(row.tables.prefetch_related("seats__entrant"))
    for table in tables[: len(tables) - leave_open]:
        _decide(whole.entrants, stage, row, table, dice, with_matches=with_matches)
    if not leave_open:
        Round.objects.filter(pk=row.pk).update(finished_at=timezone.now())


def _decide(
    entrants: Sequence[model.Entrant],
    stage: model.Stage,
    row: Round,
    table: Table,
    dice: random.Random,
    *,
    with_matches: bool,
) -> None:
    seats = list(table.seats.all())
    numbers = tuple(seat.entrant.number or 0 for seat in seats)
    meant = model.Pairing(row.stage, row.number, table.number, numbers, table.group)
    encounters: list[list[list[int]]] = []
    while isinstance(
        decided := pairing_decide(stage=stage, pairing=meant, entrants=entrants, encounters=encounters), int
    ):
        encounters.append([_ranks(numbers, dice) for _ in numbers])
    if with_matches:
        for encounter, matches in enumerate(encounters):
            make_matches(table, seats, encounter, matches)
    for seat, points, games in zip(seats, decided.points, decided.games or (None,) * len(seats), strict=True):
        seat.points, seat.games = points, games
    TableSeat.objects.bulk_update(seats, ["points", "games"])
    Table.objects.filter(pk=table.pk).update(
        outcome=decided.outcome, winner=decided.winner, matches_counted=decided.played, decided_at=timezone.now()
    )


def _ranks(numbers: Sequence[int], dice: random.Random) -> list[int]:
    values = [dice.gauss(-number, 6.0) // 4 for number in numbers]
    return [1 + sum(other > own for other in values) for own in values]


def make_matches(
    table: Table, seats: Sequence[TableSeat], encounter: int, ranks: Sequence[Sequence[int]], **fields: Any
) -> list[Match]:
    """Make the matches of an encounter; finished with these ranks, of the table's seats in their order."""
    tournament = table.round.tournament
    now = timezone.now()
    row = {"kind": "tournament", "queue_class": "tournament", "state": "finished", "finished_at": now, "seed": 1}
    row |= {"contest_id": tournament.contest_id, "game": tournament.contest.game, "rules_version": "1"}
    row |= {"is_hidden": table.round.released_at is None, "encounter": f"{table.pk}-{encounter}", **fields}
    versions = tuple(seat.entrant.version_id for seat in seats)
    made = Match.objects.bulk_create(Match(**row) for _ in seats)
    rows = []
    for match, order, ranked in zip(made, rotations(versions), ranks, strict=False):
        of = dict(zip(versions, ranked, strict=True))
        rows += [
            Seat(match=match, index=index, version_id=key, rank=of[key] or None) for index, key in enumerate(order)
        ]
    Seat.objects.bulk_create(rows)
    TableMatch.objects.bulk_create(
        TableMatch(table=table, encounter=encounter, rotation=rotation, match=match)
        for rotation, match in enumerate(made)
    )
    return made


def release(tournament: Tournament) -> None:
    """Finish and release a tournament that has been played: places, state and times."""
    whole = tournament_whole(tournament=tournament)
    for place in places(stages=whole.stages, entrants=whole.entrants, decided=whole.decided):
        Entrant.objects.filter(pk=whole.rows[place.entrant].pk).update(place=place.place)
    now = timezone.now()
    tournament.state, tournament.finished_at, tournament.released_at = Tournament.State.RELEASED, now, now
    tournament.save()
    tournament.rounds.filter(released_at=None).update(released_at=now)
