"""Fills an empty PostgreSQL database with an arena: ``python -m tests.bench.filling BOTS MATCHES CONTESTS``.

The site makes one match with all its rows; the database copies these: a million matches take a minute and a half. There
are no replays.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from datetime import timedelta

import django
import msgspec
import numpy as np
from django.core.management import call_command
from django.test import Client

from tests.bench.pages import READERS

GAME = "kakomimasu"
HOUSE_BOTS = 4
HOUSE_EVERY = 20
"""One in so many matches has a house bot."""
NEAR = 50
"""In the others a bot meets so many of its neighbours in turn."""
POINTS = 40
"""Points on the rating graph of each version."""
DAYS = 30
"""Days whose ratings boards draw as a line."""


def main(bots: int, matches: int, contests: int) -> None:
    """Make tables and rows; print a ``tests.bench.pages.Filled`` as JSON."""
    django.setup()
    call_command("collectstatic", interactive=False, verbosity=0)
    call_command("migrate", interactive=False, verbosity=0)
    arena_make(bots=bots, matches=matches, contests=contests)
    sys.stdout.buffer.write(msgspec.json.encode(arena_description()) + b"\n")


class Shares:
    """How the bots are shared out: the open contest has the first half, the others have equal parts of the rest."""

    def __init__(self, bots: int, contests: int) -> None:
        self.first = bots if contests == 1 else bots // 2
        self.size = max((bots - self.first) // max(contests - 1, 1), 2)
        """Bots of each contest but the open one."""
        self.slugs = [GAME, *(f"contest-{number}" for number in range(contests - 1))]

    def slug_of(self, bot: int) -> str:
        """Return the contest of a bot, by its number from 0."""
        return GAME if bot < self.first else self.slugs[1:][min((bot - self.first) // self.size, len(self.slugs) - 2)]

    def opponent_sql(self, bot: str, other: str) -> str:
        """Return SQL for the bot of the same contest that stands for another one."""
        block = f"({self.first} + ({bot} - {self.first}) / {self.size} * {self.size})"
        last = self.first + (len(self.slugs) - 2) * self.size
        block = f"LEAST({block}, {last})"
        return f"CASE WHEN {bot} < {self.first} THEN {other} % {self.first} ELSE {block} + {other} % {self.size} END"

    def slug_sql(self, bot: str) -> str:
        """Return SQL for the contest of a bot."""
        number = f"LEAST(({bot} - {self.first}) / {self.size}, {len(self.slugs) - 2})"
        return f"CASE WHEN {bot} < {self.first} THEN '{GAME}' ELSE 'contest-' || {number} END"


def arena_make(*, bots: int, matches: int, contests: int = 1) -> None:
    """Make all rows of the arena, in empty tables."""
    from contests.models import Contest

    shares = Shares(bots, contests)
    Contest.objects.bulk_create(
        Contest(slug=slug, title=slug.title(), game=GAME, state=Contest.State.OPEN, has_matches=True)
        for slug in shares.slugs[1:]
    )
    versions = _versions_make(bots, shares)
    _matches_make(versions, matches, shares)
    _ratings_make(versions, shares)
    _sql("ANALYZE")


def _versions_make(bots: int, shares: Shares) -> list[int]:
    """Make bots with a retired and an active version each; the first are house bots. Returns the active versions."""
    from django.utils import timezone

    from accounts.models import User
    from ladder.models import Bot, BotVersion

    users = User.objects.bulk_create(User(username=f"user{i}") for i in range(max(bots // 2, 1)))
    rows = []
    for i in range(bots):
        house = {"is_house": True, "declared_rating": 1_000.0 + 300 * i} if i < HOUSE_BOTS else {}
        row = {"owner": users[i % len(users)], "contest_id": shares.slug_of(i), "game": GAME}
        rows.append(Bot(name=f"bot number {i}", **row, **house))
    made = Bot.objects.bulk_create(rows, 1_000)
    fields = {"bundle_digest": "d" * 64, "bundle_bytes": 1, "language": "python", "entry": "main.py"}
    for number, state in ((1, BotVersion.State.RETIRED), (2, BotVersion.State.ACTIVE)):
        versions = BotVersion.objects.bulk_create(
            (
                BotVersion(
                    bot=bot,
                    number=number,
                    state=state,
                    artifact_digest=f"{bot.pk:064x}",  # the same program never meets itself
                    activated_at=timezone.now(),
                    log="x" * 2_000,
                    **fields,
                )
                for bot in made
            ),
            1_000,
        )
    return [version.pk for version in versions]


def _matches_make(versions: list[int], matches: int, shares: Shares) -> None:
    """Make matches between neighbours, and some with house bots, one a second until now; with their tallies."""
    from django.core.management.color import no_style
    from django.db import connection
    from django.utils import timezone

    from matches.models import Attempt, HeadToHead, Match, Result, Seat

    begun = timezone.now() - timedelta(seconds=matches)
    fields = {"state": Match.State.FINISHED, "tallied": True, "started_at": begun, "finished_at": begun, "attempt": 1}
    first = Match.objects.create(contest_id=GAME, game=GAME, rules_version="1", seed=1, encounter="e" * 32, **fields)
    seat = Seat.objects.create(match=first, index=0, version_id=versions[0], rank=1, score=10.5, cpu_ms_total=1.0)
    base, count = min(versions), len(versions)
    assert versions == list(range(base, base + count)), "another wrote to this database"
    drawn = f"""CREATE TABLE pairs AS SELECT n, a, {shares.opponent_sql("a", "b")} AS b, {shares.slug_sql("a")} AS slug,
            outcome FROM (
            SELECT n, a, CASE WHEN {shares.opponent_sql("a", "b")} = a THEN b + 1 ELSE b END AS b, outcome FROM (
            SELECT n, (n::bigint * 7919) % {count} AS a, (n::bigint * 48271) % 100 AS outcome,
                CASE WHEN n % {HOUSE_EVERY} = 0 THEN (n / {HOUSE_EVERY}) % {HOUSE_BOTS}
                ELSE (n::bigint * 7919 + 1 + (n / {count} + n) % {NEAR}) % {count} END AS b
            FROM generate_series({first.pk + 1}, {first.pk + matches - 1}) AS n) AS near) AS drawn"""  # noqa: S608 - numbers
    _sql(drawn)
    ended = f"row.started_at + (n - {first.pk}) * interval '1 second'"
    times = {"created_at": ended, "started_at": ended, "finished_at": ended}
    _copies(Match, first.pk, {"id": "n", "contest_id": "slug", "encounter": "md5(n::text)", **times}, "pairs")
    attempt = Attempt.objects.create(
        match=first, number=1, worker="play@host", started_at=begun, ended_at=begun, ending=Attempt.Ending.RESULT
    )
    times = {"queued_at": ended, "started_at": ended, "ended_at": ended}
    _copies(Attempt, attempt.pk, {"id": "n", "match_id": "n", "lease_token": "md5('t' || n)", **times}, "pairs")
    result = Result.objects.create(match=first, attempt=attempt, turns=60, replay_digest="d" * 64)
    _copies(Result, result.pk, {"match_id": "n", "attempt_id": "n", "replay_digest": "md5('r' || n)"}, "pairs")
    for index, side, rank in ((0, "a", "outcome BETWEEN 45 AND 89"), (1, "b", "outcome < 45")):
        changes = {
            "match_id": "n",
            "index": str(index),
            "version_id": f"{base} + {side}",
            "rank": f"1 + ({rank})::int",
        }
        _copies(Seat, seat.pk, changes, "pairs")
    Seat.objects.create(match=first, index=1, version_id=versions[1], rank=2, score=3.0)
    for statement in connection.ops.sequence_reset_sql(no_style(), [Match, Attempt]):
        _sql(statement)
    for side, other, won, lost in (("a", "b", "< 45", "BETWEEN 45 AND 89"), ("b", "a", "BETWEEN 45 AND 89", "< 45")):
        added = f"""INSERT INTO {HeadToHead._meta.db_table} AS met (bot_id, opponent_id, games, wins, draws, losses)
            SELECT one.bot_id, two.bot_id, count(*), count(*) FILTER (WHERE outcome {won}),
                count(*) FILTER (WHERE outcome >= 90), count(*) FILTER (WHERE outcome {lost})
            FROM pairs JOIN ladder_botversion one ON one.id = {base} + {side}
                JOIN ladder_botversion two ON two.id = {base} + {other} GROUP BY 1, 2
            ON CONFLICT (bot_id, opponent_id) DO UPDATE SET games = met.games + EXCLUDED.games,
                wins = met.wins + EXCLUDED.wins, draws = met.draws + EXCLUDED.draws,
                losses = met.losses + EXCLUDED.losses"""  # noqa: S608 - columns
        _sql(added)


def _copies(model: type, pk: int, changes: dict[str, str], source: str) -> None:
    """Insert a copy of a row for each row of another table; ``changes`` are SQL by column."""
    columns = [field.column for field in model._meta.concrete_fields if field.column != "id" or "id" in changes]
    names = ", ".join(f'"{column}"' for column in columns)
    values = ", ".join(changes.get(column, f'row."{column}"') for column in columns)
    table = model._meta.db_table
    _sql(f"INSERT INTO {table} ({names}) SELECT {values} FROM {table} row, {source} WHERE row.id = {pk}")  # noqa: S608


def _ratings_make(versions: list[int], shares: Shares) -> None:
    """Give the versions ratings, ranks, leagues and histories."""
    from django.db import transaction
    from django.utils import timezone

    from ladder.models import BotVersion, DailyRating, Rating, RatingPoint
    from ladder.services.standings import leagues_update, standings_fill
    from matches.models import Seat

    now = timezone.now()
    games = dict(_rows("SELECT version_id, count(*) FROM matches_seat GROUP BY 1"))
    strengths = np.sort(np.random.default_rng(1).normal(1_500, 250, len(versions)))
    ratings = [
        Rating(
            version_id=version,
            rating=round(float(strength), 3),
            standard_error=25.0,
            games=games.get(version, 0),
            last_match_at=now,
            fitted_at=now,
        )
        for version, strength in zip(versions, strengths, strict=True)
    ]
    for slug in shares.slugs:
        rows = [row for number, row in enumerate(ratings) if shares.slug_of(number) == slug]
        standings_fill(contest=slug, ratings=rows)
        Rating.objects.bulk_create(rows, 1_000)
        with transaction.atomic():  # it locks the bots that move
            leagues_update(contest=slug, ratings=rows)
    point = RatingPoint.objects.create(version_id=versions[0], games=0, rating=1_500, standard_error=30, at=now)
    changes = {
        "version_id": "rated.version_id",
        "games": "n",
        "rating": "rated.rating + 400.0 * sin(n) / n",
        "standard_error": "25 + 200.0 / n",
    }
    _copies(RatingPoint, point.pk, changes, f"{Rating._meta.db_table} rated, generate_series(1, {POINTS}) AS n")
    day = DailyRating.objects.create(bot=BotVersion.objects.get(pk=versions[0]).bot, day=now, rating=1_500)
    changes = {
        "bot_id": "version.bot_id",
        "day": "row.day - n",
        "rating": "rated.rating + 100.0 * sin(n + rated.id)",
    }
    rated = f"{Rating._meta.db_table} rated JOIN {BotVersion._meta.db_table} version ON version.id = rated.version_id"
    _copies(DailyRating, day.pk, changes, f"{rated}, generate_series(1, {DAYS}) AS n")
    assert Seat.objects.filter(version=versions[0]).exists()


def arena_description() -> dict[str, object]:
    """Return the fields of a ``tests.bench.pages.Filled`` for the arena in the database."""
    from ladder.models import Bot, Rating
    from matches.models import Match

    bots = list(Bot.objects.order_by("pk").values_list("pk", flat=True))
    ranked = Rating.objects.filter(contest=GAME, rank__isnull=False).order_by("-rating", "version")
    cursors = [f"{rating!r}_{version}" for rating, version in ranked.values_list("board_rating", "version")]
    last = Match.objects.latest("pk").pk
    contest = contest_path(bots[-1])
    board = f"/games/{GAME}/"
    pages = {
        "leaderboard": board,
        "contest": contest,
        "leaderboard, deep": f"{board}?after={cursors[len(cursors) // 2]}",
        "bot": f"/bots/{bots[-1]}/",
        "bot, any": f"/bots/{bots[len(bots) // 2]}/",
        "bot, house": f"/bots/{bots[0]}/",
        "matches": "/matches/",
        "matches, deep": f"/matches/?before={last // 2}",
        "matches of a contest": f"/matches/?contest={contest.strip('/').partition('/')[2]}",
        "opponents, any": f"/bots/{bots[len(bots) // 2]}/opponents/",
    }
    readers = _signed_in()
    return {
        "bots": bots,
        "contest": contest,
        "last_match": last,
        "cursors": cursors[:-40],
        "sessions": [client.cookies["sessionid"].value for client in readers],
        "queries": {name: _queries(Client(), path) for name, path in pages.items()},
        "queries_signed_in": {name: _queries(readers[0], path) for name, path in pages.items()},
    }


def contest_path(bot: int) -> str:
    """Return the path of the page of a bot's contest."""
    from ladder.models import Bot

    return f"/{Bot.objects.get(pk=bot).contest_place}/"


def _signed_in() -> list[Client]:
    from accounts.models import User

    readers = [Client() for _ in range(READERS)]
    for client, user in zip(readers, User.objects.order_by("pk"), strict=False):
        client.force_login(user)
    return readers


def _queries(client: Client, path: str) -> int:
    """Return how many queries a page takes that is not in the cache."""
    from django.core.cache import caches
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    caches["pages"].clear()
    with CaptureQueriesContext(connection) as queries:
        page = client.get(path, headers={"host": "localhost"})
    assert page.status_code == 200, path
    assert (b'class="bell"' in page.content) is ("sessionid" in client.cookies), path
    return len(queries)


def _sql(text: str) -> None:
    """Execute SQL whose parts are all ours: names of tables and columns, numbers."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(text)


def _rows(text: str) -> Iterator[tuple[int, int]]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(text)
        yield from cursor.fetchall()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:4]))
