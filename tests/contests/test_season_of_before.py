"""A running season of before contests goes on in the open contests of its games, with the same boards."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client

from contests.models import Contest
from ladder.models import Bot, BotVersion, Rating
from matches.models import Match, Seat
from matches.services.ratings import board_watermark, ratings_refit
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = [
    pytest.mark.database,
    pytest.mark.slow_on_sqlite,
    pytest.mark.django_db(transaction=True),
    pytest.mark.test_all,
]

DEADLINE = datetime(2027, 1, 1, tzinfo=UTC)
KEPT = ("version__bot__name", "rating", "standard_error", "games", "rank", "rank_best", "rank_worst", "listed")


def season_play() -> None:
    """Play a season of Kakomimasu: a dozen bots, of which the later one mostly wins."""
    house = make_user("house")
    anchors = [("Anchor", 1_500.0), ("Keep", 1_800.0)]
    bots = [make_bot(name, house, is_house=True, declared_rating=rating) for name, rating in anchors]
    versions = [make_version(bot) for bot in bots]
    versions += [make_version(make_bot(f"bot {number}", make_user(f"owner {number}"))) for number in range(10)]
    Bot.objects.filter(name="bot 9").update(contest="puyo", game="puyo")
    pairs = [(one, other) for one in range(11) for other in range(one)] * 3
    for seed, (one, other) in enumerate(pairs):
        row = {"contest_id": "kakomimasu", "game": "kakomimasu", "rules_version": "1", "encounter": "e" * 32}
        match = Match.objects.create(**row, seed=seed, state="finished", finished_at=DEADLINE)
        for index, (number, rank) in enumerate(((one, 1 + (seed % 5 == 0)), (other, 2 - (seed % 5 == 0)))):
            Seat.objects.create(match=match, index=index, version=versions[number], rank=rank)
    ratings_refit(contest="kakomimasu")


def board(client: Client) -> tuple[list[tuple[Any, ...]], str]:
    rows = list(Rating.objects.order_by("version").values_list(*KEPT))
    return rows, client.get("/games/kakomimasu/board.csv").text


def test_its_boards_are_the_same_to_the_last_bit(client: Client) -> None:
    season_play()
    watermark, before = board_watermark(contest="kakomimasu"), board(client)
    assert before[0]
    executor = MigrationExecutor(connection)
    executor.migrate([("contests", None)])
    # The migrations of then, to the last column: an arena that ran them runs only those that came later.
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, "matches_gamelock")
    assert {column.name for column in columns} == {"id", "game", "rating_watermark"}
    apps = executor.loader.project_state([("ladder", "0002_version_reason")]).apps
    settings = {"reason": "The prizes are given.", "uploads_until": DEADLINE, "limits": {"memory_mib": 300}}
    apps.get_model("ladder", "GameSetting").objects.create(game="puyo", state="frozen", **settings)
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert board(client) == before
    assert board_watermark(contest="kakomimasu") == watermark
    call_command("ratings", "rebuild", "--check", "--contest", "kakomimasu")
    assert not ratings_refit(contest="kakomimasu"), "nothing is to be fitted anew"
    puyo, kakomimasu = Contest.objects.get(slug="puyo"), Contest.objects.get(slug="kakomimasu")
    assert (puyo.state, puyo.reason, puyo.entries_until) == ("frozen", "The prizes are given.", DEADLINE)
    assert puyo.limits == {"memory_mib": 300}
    assert (kakomimasu.state, kakomimasu.has_house_bots, kakomimasu.has_leagues) == ("open", True, True)
    assert (kakomimasu.has_matches, puyo.has_matches) == (True, False)
    assert {(bot.contest_id, bot.game) for bot in Bot.objects.all()} == {
        (game, game) for game in ("kakomimasu", "puyo")
    }
    assert set(Match.objects.values_list("contest", "game")) == {("kakomimasu", "kakomimasu")}
    assert BotVersion.objects.count() == 12
    assert client.get("/games/kakomimasu/").status_code == 200
