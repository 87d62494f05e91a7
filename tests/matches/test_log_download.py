"""The match log: anybody can download it and compute the board."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from threading import Event, get_ident
from typing import Any

import pytest
import requests
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test import Client
from pytest_django import Settings

from ladder.models import BotVersion, Rating
from ladder.rating.log import Log
from matches import log_files
from matches.log_files import log_file
from matches.models import Match
from matches.services import ratings as services
from matches.services.ratings import match_log, ratings_refit, ratings_watermark
from tests.matches.test_ratings import GAME, beat, make_house, make_rival

pytestmark = [pytest.mark.database, pytest.mark.django_db(transaction=True)]

ADDRESS = f"/games/{GAME}/log"


@pytest.fixture(autouse=True)
def board() -> None:
    anchor, strong, weak = make_house("anchor", 1550.0), make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=3)
    beat(anchor, weak, times=2)
    beat(strong, anchor)
    ratings_refit(game=GAME)


def body(response: Any) -> bytes:
    async def joined() -> bytes:
        return b"".join([chunk async for chunk in response.streaming_content])

    return async_to_sync(joined)()


def test_a_line_tells_what_a_match_was(client: Client) -> None:
    lines = [json.loads(line) for line in body(client.get(ADDRESS)).splitlines()]
    match = Match.objects.earliest("pk")
    assert [line["name"] for line in lines[:3]] == ["anchor v1", "strong v1", "weak v1"]
    assert lines[3] == {
        "match": match.pk,
        "at": match.finished_at.isoformat() if match.finished_at else "",
        "rules": match.rules_version,
        "players": [seat.version_id for seat in match.seats.all()],
        "ranks": [1, 2],
    }
    assert len(lines) == 3 + Match.objects.count()


def test_whoever_has_it_is_not_sent_it_again(client: Client) -> None:
    first = client.get(ADDRESS)
    again = client.get(ADDRESS, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    beat(make_rival("late"), make_rival("later"))
    ratings_refit(game=GAME)
    assert client.get(ADDRESS, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_downloads_are_slowed_down(client: Client, settings: Settings) -> None:
    """The attack: a log of a million matches is unpacked and sent anew for each who asks, a hundred times a second."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"log": "2/m/ip"}
    assert [client.get(ADDRESS).status_code for _ in range(3)] == [200, 200, 429]


def test_it_is_packed_for_whoever_can_unpack_it(client: Client) -> None:
    packed = client.get(ADDRESS, headers={"Accept-Encoding": "br, gzip"})
    plain = client.get(ADDRESS)
    assert packed["Content-Encoding"] == "gzip"
    assert packed["ETag"] != plain["ETag"]
    assert "Accept-Encoding" in packed["Vary"], "a cache between us must not give it to who cannot"
    assert packed["Cache-Control"] == "no-cache"
    assert packed["Content-Disposition"] == f'attachment; filename="{GAME}.jsonl"'
    assert gzip.decompress(body(packed)) == body(plain)


def test_it_is_made_once_and_old_ones_go(client: Client) -> None:
    one = log_file(game=GAME)
    made = one.path.stat().st_mtime_ns
    assert log_file(game=GAME).path.stat().st_mtime_ns == made
    beat(make_rival("late"), make_rival("later"))
    assert log_file(game=GAME) == one, "the board has not changed"
    ratings_refit(game=GAME)
    other = log_file(game=GAME)
    assert other.watermark != one.watermark
    assert list((Path(settings.DATA) / "logs").glob(f"{GAME}-*")) == [other.path]


def test_of_many_who_ask_one_makes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """In an arena where each finds another board than the one before."""
    log, alone = match_log(game=GAME), log_files._alone
    asked, both_ask, made = [], Event(), []

    def asks(folder: Path) -> AbstractContextManager[None]:
        asked.append(folder)
        if len(asked) == 2:
            both_ask.set()
        return alone(folder)

    def makes(*, game: str) -> tuple[Log, str]:
        assert both_ask.wait(60)
        made.append(game)
        return log, f"of-{get_ident()}"

    monkeypatch.setattr(log_files, "_alone", asks)
    monkeypatch.setattr(log_files, "match_log_published", makes)
    monkeypatch.setattr(log_files, "board_watermark", lambda game: f"of-{get_ident()}")
    with ThreadPoolExecutor(2) as visitors:
        one, other = visitors.map(lambda _: log_file(game=GAME), range(2))
    assert (one, made) == (other, [GAME])


def test_who_waits_for_a_log_or_downloads_it_keeps_no_connection(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ten who took minutes for it had all that a web process may have, and every page of it was an error."""
    alone, kept = log_files._alone, []

    def waits(folder: Path) -> AbstractContextManager[None]:
        kept.append(connection.connection)
        return alone(folder)

    monkeypatch.setattr(log_files, "_alone", waits)
    response = client.get(ADDRESS)
    assert [*kept, connection.connection] == [None, None]
    assert body(response)


def test_a_version_that_comes_meanwhile_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = services.match_log

    def late(*, game: str, until: datetime | None) -> Log:
        log = read(game=game, until=until)
        monkeypatch.setattr(services, "match_log", read)
        beat(make_rival("late"), make_rival("later"))
        return log

    monkeypatch.setattr(services, "match_log", late)
    file = log_file(game=GAME)
    log = Log.of_lines(gzip.decompress(file.path.read_bytes()).splitlines())
    assert {"late v1", "later v1"} <= {version.name for version in log.versions.values()}
    assert len(log.matches) == Match.objects.count(), "no board was made from that, so it is all of now"
    assert file.watermark == ratings_watermark(game=GAME)
    assert log_file(game=GAME).path.stat().st_mtime_ns == file.path.stat().st_mtime_ns
    assert list((Path(settings.DATA) / "logs").iterdir()) == [file.path]


def test_nothing_is_left_of_one_that_could_not_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> None:
        raise OSError("The disk is full.")

    monkeypatch.setattr(os, "link", fails)
    with pytest.raises(OSError, match="disk"):
        log_file(game=GAME)
    assert list((Path(settings.DATA) / "logs").glob("*.part")) == []


def test_what_a_killed_process_has_left_goes_with_the_next_log() -> None:
    left = log_file(game=GAME).path.with_name("tmpabc.part")
    left.write_bytes(b"half of it")
    beat(make_rival("late"), make_rival("later"))
    ratings_refit(game=GAME)
    log_file(game=GAME)
    assert not left.exists()


def test_unrated_matches_are_not_in_it(client: Client) -> None:
    void, trial = Match.objects.order_by("pk")[:2]
    Match.objects.filter(pk=void.pk).update(state=Match.State.VOID)
    Match.objects.filter(pk=trial.pk).update(kind=Match.Kind.TRIAL)
    matches = Log.of_lines(body(client.get(ADDRESS)).splitlines()).matches
    assert not matches.keys() & {void.pk, trial.pk}


def test_an_unknown_game_has_none(client: Client) -> None:
    assert client.get("/games/chess/log").status_code == 404


@pytest.mark.parametrize("unseen", [0, 2])
def test_the_board_is_computed_at_home_to_the_last_digit(site_url: str, tmp_path: Path, unseen: int) -> None:
    """While results stream in, too: there are always some that the board has not seen."""
    beat(*(BotVersion.objects.get(bot__name=name) for name in ("weak", "strong")), times=unseen)
    path = tmp_path / "log.jsonl"
    path.write_bytes(requests.get(site_url + ADDRESS, timeout=10).content)
    command = [sys.executable, "-m", "ladder.rating", "fit", "--log", str(path)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = Rating.objects.select_related("version__bot").order_by("version")
    assert answer == {
        "version": [row.version_id for row in rows],
        "name": [str(row.version) for row in rows],
        "rating": [row.rating for row in rows],
        "se": [row.standard_error for row in rows],
    }
