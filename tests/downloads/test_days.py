"""The files of each day: what is in them, who gets them, and how long they stay."""

from __future__ import annotations

import hashlib
import io
import re
import tarfile
from datetime import UTC, timedelta

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.core.files.storage import storages
from django.test import AsyncClient, Client
from django.utils import timezone

from contests.models import Contest, Member
from core.replay import decode
from deploy.settings import ROOT
from downloads.lines import DayLine, MatchLine, SeatLine
from downloads.models import REPLAYS_DAYS, DayFiles
from downloads.services.days import day_make, days_make, replays_forget
from jobs.files.storage import DOWNLOADS, REPLAYS, file_read
from matches.models import Match, Result
from tests.contests.makers import make_contest
from tests.downloads.makers import YESTERDAY, lines_of, played
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db


def content(url: str) -> bytes:
    async def read() -> bytes:
        answer = await AsyncClient().get(url)
        assert answer.status_code == 200, url
        assert "immutable" in answer["Cache-Control"]
        return b"".join([chunk async for chunk in answer.streaming_content])

    return async_to_sync(read)()


def test_a_day_has_the_results_and_replays_of_its_rated_matches() -> None:
    late, early = played(hour=23), played(hour=1)
    played(YESTERDAY - timedelta(days=1))
    played(kind=Match.Kind.CHALLENGE)
    played(timezone.now().astimezone(UTC).date() + timedelta(days=1))
    void = played()
    Match.objects.filter(pk=void.pk).update(state=Match.State.VOID)
    gone = played(hour=13)
    storages[REPLAYS].delete(gone.result.replay_digest)
    thinned = played(hour=14)
    Result.objects.filter(match=thinned).update(replay_digest="")
    days_make()
    days_make()  # nothing is left to do

    assert list(DayFiles.objects.values_list("day", "matches", "replays")) == [
        (YESTERDAY, 4, 2),
        (YESTERDAY - timedelta(days=1), 1, 1),
    ]
    files = DayFiles.objects.get(day=YESTERDAY)
    first, *rest = lines_of(files)
    head = msgspec.json.decode(first, type=DayLine)
    assert (head.format, head.contest, head.day, head.matches) == ("Banzuke results 1", "kakomimasu", YESTERDAY, 4)
    matches = [msgspec.json.decode(line, type=MatchLine) for line in rest]
    assert [row.match for row in matches] == [early.pk, gone.pk, thinned.pk, late.pk]
    assert (matches[0].replay, matches[2].replay) == (early.result.replay_digest, None)
    seats = list(early.seats.order_by("index"))
    assert [(row.bot, row.name, row.version, row.rank, row.score) for row in matches[0].seats] == [
        (seat.version.bot_id, seat.version.bot.name, seat.version_id, seat.rank, seat.score) for seat in seats
    ]

    tar = file_read(store=DOWNLOADS, digest=files.replays_digest)
    with tarfile.open(fileobj=io.BytesIO(tar)) as archive:
        assert archive.getnames() == [f"match-{early.pk}.jsonl.zst", f"match-{late.pk}.jsonl.zst"]
        replay = archive.extractfile(archive.getnames()[0])
        assert replay
        data = replay.read()
    assert hashlib.sha256(data).hexdigest() == matches[0].replay
    assert decode(data)[0]["seed"] == matches[0].seed


def test_a_file_names_no_person() -> None:
    """The attack: somebody reads in a file of last year who owned the bots of an account that was closed since."""
    match = played()
    owners = [seat.version.bot.owner.username for seat in match.seats.all()]
    text = b"\n".join(lines_of(day_make(contest="kakomimasu", day=YESTERDAY)))
    assert not [owner for owner in owners if owner.encode() in text]


def test_a_file_is_made_once_and_equal_each_time() -> None:
    played()
    made = day_make(contest="kakomimasu", day=YESTERDAY)
    again = day_make(contest="kakomimasu", day=YESTERDAY)
    assert again == made
    DayFiles.objects.all().delete()
    assert day_make(contest="kakomimasu", day=YESTERDAY).replays_digest == made.replays_digest


def test_tars_are_deleted_after_a_month_and_results_stay() -> None:
    old = YESTERDAY - timedelta(days=REPLAYS_DAYS + 5)
    played(old)
    played()
    days_make()
    assert DayFiles.objects.get(day=old).replays_digest == "", "no tar is made for a day that old"
    newest = DayFiles.objects.get(day=YESTERDAY)
    DayFiles.objects.filter(pk=newest.pk).update(day=old - timedelta(days=1))
    replays_forget()
    assert not storages[DOWNLOADS].exists(newest.replays_digest)
    kept = DayFiles.objects.get(day=old - timedelta(days=1))
    assert (kept.replays_digest, kept.replays) == ("", 1)
    assert lines_of(kept)


def test_with_a_full_disk_no_tar_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("downloads.services.days.stores_free_bytes", lambda: 10**9)
    played()
    made = day_make(contest="kakomimasu", day=YESTERDAY)
    assert (made.matches, made.replays, made.replays_digest) == (1, 0, "")


@pytest.mark.django_db(transaction=True)
def test_everybody_downloads_what_the_page_and_the_api_list(client: Client) -> None:
    played()
    days_make()
    files = DayFiles.objects.get()
    page = client.get("/games/kakomimasu/downloads/").text
    results, replays = re.findall(r'href="(/games/kakomimasu/downloads/[^"]+)"', page)
    listed = client.get("/api/v1/contests/kakomimasu/downloads/").json()["results"][0]
    assert listed["day"] == str(YESTERDAY)
    for urls, digest in (
        ((results, listed["results"]), files.results_digest),
        ((replays, listed["replays"]), files.replays_digest),
    ):
        for url in urls:
            assert hashlib.sha256(content(url)).hexdigest() == digest
            assert client.get(url, headers={"If-None-Match": f'"{digest}"'}).status_code == 304
    for day in ("2020-02-01", "2020-02-31"):
        assert client.get(f"/games/kakomimasu/downloads/{day}/replays.tar").status_code == 404


def test_the_files_of_a_private_contest_are_for_its_members(client: Client) -> None:
    spring = make_contest(game="kakomimasu")
    played(contest=spring)
    Match.objects.update(contest=spring)
    made = day_make(contest="spring", day=YESTERDAY)
    urls = [
        "/contests/spring/downloads/",
        f"/contests/spring/downloads/{YESTERDAY}/results.jsonl.zst",
        f"/contests/spring/downloads/{YESTERDAY}/replays.tar",
        "/api/v1/contests/spring/downloads/",
        f"/api/v1/contests/spring/downloads/{YESTERDAY}/results/",
        f"/api/v1/contests/spring/downloads/{YESTERDAY}/replays/",
    ]
    assert [client.get(url).status_code for url in urls] == [404] * 6
    member = make_user("carol")
    Member.objects.create(contest=Contest.objects.get(pk="spring"), user=member)
    client.force_login(member)
    tags = [f'"{made.results_digest}"', f'"{made.replays_digest}"']
    answers = [client.get(url, headers={"If-None-Match": ", ".join(tags)}) for url in urls]
    assert [answer.status_code for answer in answers] == [200, 304, 304, 200, 304, 304]
    assert all("private" in answer["Cache-Control"] for answer in answers)


def test_the_page_describes_each_field() -> None:
    text = (ROOT / "docs/play/downloads.md").read_text()
    for kind in (DayLine, MatchLine, SeatLine):
        missing = [name for name in kind.__struct_fields__ if not re.search(rf"^\| `{name}` \|", text, re.MULTILINE)]
        assert missing == [], kind
