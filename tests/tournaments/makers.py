"""Functions that put tournaments of any state into the database for tests; nothing is played by sandboxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone

from accounts.models import User
from contests.models import Contest
from formats.pairings import points_of
from ladder.models import Bot, BotVersion
from matches.models import Attempt, Match, Result, Seat
from matches.services.lifecycle import matches_create
from rating.matchmaking import rotations
from tests.ladder import makers
from tournaments.models import Entrant, Round, Table, TableMatch, TableSeat, Tournament

State = Tournament.State
Results = Tournament.Results

KNOCKOUT = [{"format": "single_elimination"}]
NAMES = ("Moat", "Keep", "Tower", "Gate", "Wall", "Bailey", "Barbican", "Drawbridge")


def make_versions(number: int, *, contest: str = "kakomimasu", prefix: str = "") -> list[BotVersion]:
    """Make bots of as many owners, with active and rated versions, the best first: 1900 Elo, 1890 ..

    Args:
        number: how many.
        contest: key of an existing contest.
        prefix: put before their names, for a second call in one test.
    """
    game = Contest.objects.get(pk=contest).game
    versions = []
    for index in range(number):
        name = f"{prefix}{NAMES[index]}" if index < len(NAMES) else f"{prefix}Bot {index + 1}"
        # Without a password, whose digest would take longer than all the rest.
        owner = User.objects.create(username=f"{name.lower().replace(' ', '-')}-owner")
        bot = Bot.objects.create(owner=owner, contest_id=contest, game=game, name=name)
        version = makers.make_version(bot)
        makers.make_rating(version, 1900.0 - 10 * index, rank=index + 1, listed=True)
        versions.append(version)
    return versions


def make_tournament(
    state: str = State.RUNNING,
    *,
    entrants: int | Sequence[BotVersion] = 4,
    contest: str = "kakomimasu",
    slug: str = "final",
    results: str = Results.AT_ONCE,
    **fields: Any,
) -> Tournament:
    """Make a tournament of four bots (a knockout, unless ``stages`` says otherwise) with the rounds of its state.

    A drawn tournament has the open semi-finals; a running or paused one the decided semi-finals and the open final with
    its matches in the queue; a finished or released one has been won by seed number 1, who beat number 2. With other
    numbers of entrants or other stages no rounds are made: use ``make_round``.

    Args:
        state: one of ``Tournament.State``.
        entrants: how many bots to make, or the versions, the best first.
        contest: key of an existing contest.
        slug: its key.
        results: hidden results are told only if the state is ``released``.
        fields: further fields.
    """
    versions = make_versions(entrants, contest=contest) if isinstance(entrants, int) else list(entrants)
    row = {"title": "Spring final", "stages": KNOCKOUT, "entry": "list", **fields}
    tournament = Tournament.objects.create(contest_id=contest, slug=slug, state=state, results=results, **row)
    for number, version in enumerate(versions, start=1):
        place: dict[str, Any] = {"number": number, "rating": 1910.0 - 10 * number} if tournament.is_drawn else {}
        Entrant.objects.create(tournament=tournament, version=version, bot=version.bot, **place)
    if tournament.is_drawn:
        _moments_set(tournament)
        if len(versions) == 4 and tournament.stages == KNOCKOUT:
            _knockout_rounds(tournament)
    return tournament


def make_round(
    tournament: Tournament,
    *tables: tuple[int, ...],
    stage: int = 0,
    number: int | None = None,
    points: Sequence[Sequence[float] | None] = (),
    told: bool | None = None,
    **fields: Any,
) -> Round:
    """Make a round.

    Args:
        tournament: a tournament whose entrants have seed numbers.
        tables: the seed numbers of each table, in the order of its seats.
        stage: its stage, from 0.
        number: from 1 in the stage; None: the next one.
        points: of each table; None or missing for an open one. Decided tables of two or more get one encounter of
            finished matches with these results, others have no matches (``queue_matches``).
        told: whether its results are public; None: as the tournament's ``results`` and state say.
        fields: further fields of all its tables, such as ``group``.
    """
    number = number or tournament.rounds.filter(stage=stage).count() + 1
    is_decided = len(points) == len(tables) and None not in points
    is_told = not tournament.is_hidden if told is None else told
    now = timezone.now()
    row = Round.objects.create(
        tournament=tournament,
        stage=stage,
        number=number,
        finished_at=now if is_decided else None,
        released_at=now if is_told else None,
    )
    for index, numbers in enumerate(tables):
        table = Table.objects.create(round=row, number=index + 1, **fields)
        for seat, entrant in enumerate(numbers):
            entered = tournament.entrants.get(number=entrant)
            TableSeat.objects.create(table=table, index=seat, entrant=entered)
        won = points[index] if index < len(points) else None
        if won is not None:
            decide_table(table, won)
    return row


def queue_matches(table: Table, *, encounter: int = 0) -> list[Match]:
    """Put the matches of an encounter of a table into the queue, as a step of its tournament does."""
    round_ = table.round
    tournament = round_.tournament
    contest = tournament.contest
    seats = list(table.seats.select_related("entrant"))
    made = [
        Match(
            contest=contest,
            game=contest.game,
            rules_version="1",
            seed=1_000 * table.pk + encounter,
            encounter=f"{table.pk}-{encounter}",
            kind=Match.Kind.TOURNAMENT,
            queue_class=Match.QueueClass.TOURNAMENT,
            is_hidden=tournament.is_hidden and round_.released_at is None,
        )
        for _seat in seats
    ]
    seatings = rotations(tuple(seat.entrant.version_id for seat in seats))
    matches_create(tables=list(zip(made, seatings, strict=True)))
    TableMatch.objects.bulk_create(
        TableMatch(table=table, encounter=encounter, rotation=rotation, match=match)
        for rotation, match in enumerate(made)
    )
    return made


def finish(match: Match, ranks: Sequence[int], *, verdicts: Sequence[str] = ()) -> Match:
    """Finish a waiting match without a replay.

    Args:
        match: the match.
        ranks: of its seats in their order, 1 is best.
        verdicts: of the seats that were at fault, such as ``crashed``; empty for the others.
    """
    now = timezone.now()
    attempt = Attempt.objects.filter(match=match).latest("number")
    Attempt.objects.filter(pk=attempt.pk).update(ending="result", worker="worker-1", started_at=now, ended_at=now)
    Result.objects.create(match=match, attempt=attempt, turns=10)
    for seat in match.seats.order_by("index"):
        verdict = verdicts[seat.index] if verdicts else ""
        Seat.objects.filter(pk=seat.pk).update(rank=ranks[seat.index], score=-ranks[seat.index], verdict=verdict)
    Match.objects.filter(pk=match.pk).update(
        state=Match.State.FINISHED, started_at=now, finished_at=now, lease_token="", notified_at=None
    )
    match.refresh_from_db()
    return match


def finish_by_strength(match: Match, strength: dict[int, float]) -> Match:
    """Finish a match so that the entrant's strength decides.

    Args:
        match: a waiting match.
        strength: of each version by its key, higher is better; equal ones tie.
    """
    values = [strength[seat.version_id] for seat in match.seats.order_by("index")]
    return finish(match, [1 + sum(other > own for other in values) for own in values])


def decide_table(table: Table, points: Sequence[float], *, outcome: str = "") -> None:
    """Decide a table; one that was played gets an encounter of finished matches with this result.

    Args:
        table: an open table.
        points: of its seats.
        outcome: one of ``Table.Outcome``; empty: a bye for a table of one, else played.
    """
    outcome = outcome or (Table.Outcome.BYE if len(points) == 1 else Table.Outcome.PLAYED)
    seats = list(table.seats.select_related("entrant"))
    matches = 0
    if outcome == Table.Outcome.PLAYED:
        strength = {seat.entrant.version_id: won for seat, won in zip(seats, points, strict=True)}
        for match in queue_matches(table):
            finish_by_strength(match, strength)
        matches = len(points)
    shares = points_of(points) if len(points) > 1 else (1.0,)
    for seat, won, share in zip(seats, points, shares, strict=True):
        seat.points, seat.games = won, share * matches
        seat.save()
    best = max(seats, key=lambda seat: (seat.points, -(seat.entrant.number or 0)))
    is_knockout = "elimination" in table.round.tournament.stages[table.round.stage]["format"]
    table.outcome, table.decided_at, table.matches_counted = outcome, timezone.now(), matches
    table.winner = best.entrant.number or 0 if is_knockout else 0
    table.save()


def _moments_set(tournament: Tournament) -> None:
    now = timezone.now()
    order = list(State)
    passed = order.index(State(tournament.state))
    for state, name in (
        (State.DRAWN, "drawn_at"),
        (State.RUNNING, "started_at"),
        (State.FINISHED, "finished_at"),
        (State.RELEASED, "released_at"),
    ):
        if passed >= order.index(state):
            setattr(tournament, name, now)
    if tournament.state == State.PAUSED:
        tournament.reason = {"kind": "text", "args": {"text": "The hall has no electricity."}}
    tournament.save()


def _knockout_rounds(tournament: Tournament) -> None:
    if tournament.state == State.DRAWN:
        make_round(tournament, (1, 4), (2, 3), sources=[None, None])
        return
    make_round(tournament, (1, 4), (2, 3), points=[(1, 0), (1, 0)], sources=[None, None])
    if tournament.state in (State.RUNNING, State.PAUSED):
        row = make_round(tournament, (1, 2), sources=[[1, 1], [1, 2]])
        queue_matches(row.tables.get())
        return
    make_round(tournament, (1, 2), points=[(1, 0)], sources=[[1, 1], [1, 2]])
    for number, place in ((1, 1), (2, 2), (3, 3), (4, 3)):
        tournament.entrants.filter(number=number).update(place=place)
