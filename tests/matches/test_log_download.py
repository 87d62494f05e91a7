"""The match log: anybody can download it and compute the board."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import Any

import pytest
import requests
from asgiref.sync import async_to_sync
from django.conf import settings
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from pytest_django import Settings

from ladder.models import BotVersion, Rating
from matches import log_files
from matches.log_files import LogBroken, log_file
from matches.models import Match
from matches.services.ratings import ratings_refit, ratings_watermark
from rating.log import MatchLog
from tests.matches.test_ratings import GAME, beat, make_house, make_rival
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)

ADDRESS = f"/games/{GAME}/log"


@pytest.fixture(autouse=True)
def board() -> None:
    anchor, strong, weak = make_house("anchor", 1550.0), make_rival("strong"), make_rival("weak")
    beat(strong, weak, times=3)
    beat(anchor, weak, times=2)
    beat(strong, anchor)
    ratings_refit(contest=GAME)


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
    assert client.get("/games/chess/log").status_code == 404


def test_a_client_that_has_the_log_gets_a_304(client: Client) -> None:
    first = client.get(ADDRESS)
    again = client.get(ADDRESS, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    beat(make_rival("late"), make_rival("later"))
    ratings_refit(contest=GAME)
    assert client.get(ADDRESS, headers={"If-None-Match": first["ETag"]}).status_code == 200


def test_downloads_are_slowed_down(client: Client, settings: Settings) -> None:
    """The attack: a client requests the log of a million matches a hundred times a second, each time uncompressed."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS = {"log": "2/m/ip"}
    assert [client.get(ADDRESS).status_code for _ in range(3)] == [200, 200, 429]


def test_the_log_is_gzipped_for_clients_that_accept_gzip(client: Client) -> None:
    packed = client.get(ADDRESS, headers={"Accept-Encoding": "br, gzip"})
    plain = client.get(ADDRESS)
    assert packed["Content-Encoding"] == "gzip"
    assert packed["ETag"] != plain["ETag"]
    assert "Accept-Encoding" in packed["Vary"], "a cache between us must not give it to who cannot"
    assert packed["Cache-Control"] == "no-cache"
    assert packed["Content-Disposition"] == f'attachment; filename="{GAME}.jsonl"'
    assert gzip.decompress(body(packed)) == body(plain)


def test_it_is_made_once_and_old_ones_go(client: Client) -> None:
    body(client.get(ADDRESS))
    one = log_file(contest=GAME)
    made = one.path.stat().st_mtime_ns
    assert log_file(contest=GAME).path.stat().st_mtime_ns == made
    beat(make_rival("late"), make_rival("later"))
    assert log_file(contest=GAME) == one, "the board has not changed"
    ratings_refit(contest=GAME)
    body(client.get(ADDRESS))
    other = log_file(contest=GAME)
    assert other.watermark != one.watermark
    folder = Path(settings.DATA) / "logs"
    wait_until(lambda: list(folder.glob(f"{GAME}-*")) == [other.path], lambda: list(folder.iterdir()))


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_stored_log_is_whole_whatever_its_mode(client: Client, mode: int) -> None:
    """A restored backup may have changed the modes of stored logs: they must stay downloadable."""
    made = body(client.get(ADDRESS))
    log_file(contest=GAME).path.chmod(mode)
    assert body(client.get(ADDRESS)) == made


@contextmanager
def made_slowly(monkeypatch: pytest.MonkeyPatch) -> Iterator[Event]:
    """Make the writer of a log wait after its first lines until the event is set; leaving waits for the writer."""
    published, goes_on, made = log_files.match_log_published, Event(), []

    @contextmanager
    def slowly(*, contest: str) -> Iterator[tuple[str, Iterator[list[bytes]]]]:
        made.append(contest)

        def wait() -> Iterator[list[bytes]]:
            yield next(batches)
            assert goes_on.wait(60)
            yield from batches

        with published(contest=contest) as (watermark, batches):
            yield watermark, wait()

    monkeypatch.setattr(log_files, "match_log_published", slowly)
    yield goes_on
    goes_on.set()
    assert made == [GAME], "it is made once"


def test_a_log_is_read_while_it_is_made(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A log of a million matches begins at once and is written once, however many clients request it."""

    async def both(one: Any, other: Any) -> tuple[bytes, bytes]:
        plain, packed = [await anext(response.streaming_content) for response in (one, other)]
        assert plain.count(b"\n") == 3, "its first lines are there"
        goes_on.set()
        return (
            plain + b"".join([chunk async for chunk in one.streaming_content]),
            packed + b"".join([chunk async for chunk in other.streaming_content]),
        )

    with made_slowly(monkeypatch) as goes_on:
        one, other = client.get(ADDRESS), client.get(ADDRESS, headers={"Accept-Encoding": "gzip"})
        plain, packed = async_to_sync(both)(one, other)
    assert plain == gzip.decompress(packed)
    assert plain.count(b"\n") == 3 + Match.objects.count()
    assert body(client.get(ADDRESS)) == plain


def test_a_log_that_will_not_be_whole_breaks_off(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A client must not take the broken log for a complete one."""
    published, is_opened = log_files.match_log_published, Event()

    @contextmanager
    def breaks(*, contest: str) -> Iterator[tuple[str, Iterator[list[bytes]]]]:
        def fails() -> Iterator[list[bytes]]:
            yield next(batches)
            assert is_opened.wait(60)
            raise DatabaseError

        with published(contest=contest) as (watermark, batches):
            yield watermark, fails()

    with monkeypatch.context() as broken:
        broken.setattr(log_files, "match_log_published", breaks)
        response = client.get(ADDRESS)
        is_opened.set()
        with pytest.raises(LogBroken):
            body(response)
    assert body(client.get(ADDRESS)).count(b"\n") == 3 + Match.objects.count(), "the next one makes it anew"


def test_who_waits_for_a_log_or_downloads_it_keeps_no_connection(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else ten downloads of minutes would hold all connections of a web process, and its pages would fail."""
    lock, kept = log_files._lock, []

    def waits(folder: Path, game: str) -> int | None:
        kept.append(connection.connection)
        return lock(folder, game)

    monkeypatch.setattr(log_files, "_lock", waits)
    response = client.get(ADDRESS)
    assert [*kept, connection.connection] == [None, None]
    assert body(response)


def test_what_comes_meanwhile_is_not_in_it(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is read in one snapshot: its matches are those of its watermark, and all their versions are in it."""
    with made_slowly(monkeypatch) as goes_on:
        response = client.get(ADDRESS)
        watermark, matches = ratings_watermark(contest=GAME), Match.objects.count()
        beat(make_rival("late"), make_rival("later"))
        goes_on.set()
        log = MatchLog.of_lines(body(response).splitlines())
    assert response["ETag"] == f'"{watermark}"'
    assert len(log.matches) == matches
    assert "late v1" not in {version.name for version in log.versions.values()}


def test_where_it_cannot_be_told_what_the_board_was_made_from_it_is_all_of_now() -> None:
    make_rival("late")
    file = log_file(contest=GAME)
    assert file.watermark == ratings_watermark(contest=GAME)
    wait_until(file.path.with_suffix("").exists, lambda: file)
    assert log_file(contest=GAME).path == file.path.with_suffix(""), "and it is made once"


def test_nothing_is_left_of_one_that_could_not_be_made(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any, **__: Any) -> None:
        raise OSError("The disk is full.")

    monkeypatch.setattr(os, "open", fails)
    with pytest.raises(OSError, match="disk"):
        log_file(contest=GAME)
    assert list((Path(settings.DATA) / "logs").glob("*.part")) == []


def test_what_a_killed_process_has_left_goes_with_the_next_log(client: Client) -> None:
    body(client.get(ADDRESS))
    left = log_file(contest=GAME).path.with_name(f"{GAME}-abc.jsonl.gz.part")
    left.write_bytes(b"half of it")
    beat(make_rival("late"), make_rival("later"))
    ratings_refit(contest=GAME)
    body(client.get(ADDRESS))
    assert not left.exists()


@pytest.mark.parametrize("unseen", [0, 2])
def test_the_board_is_computed_at_home_to_the_last_digit(site_url: str, tmp_path: Path, unseen: int) -> None:
    """Also while new results come in that the board does not have yet."""
    beat(*(BotVersion.objects.get(bot__name=name) for name in ("weak", "strong")), times=unseen)
    path = tmp_path / "log.jsonl"
    path.write_bytes(requests.get(site_url + ADDRESS, timeout=10).content)
    command = [sys.executable, "-m", "rating", "fit", "--log", str(path)]
    answer = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    rows = Rating.objects.select_related("version__bot").order_by("version")
    assert answer == {
        "version": [row.version_id for row in rows],
        "name": [str(row.version) for row in rows],
        "rating": [row.rating for row in rows],
        "se": [row.standard_error for row in rows],
    }
