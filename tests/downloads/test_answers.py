"""The page and the files of days: names, types, what caches may keep, and what is told when there is no file."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.test import Client

from downloads.models import DayFiles
from downloads.services.days import day_make
from downloads.views import DAYS_A_PAGE
from jobs.files.storage import DOWNLOADS
from tests.contests.makers import make_contest
from tests.downloads.makers import YESTERDAY, played

pytestmark = pytest.mark.django_db

HERE = "/games/kakomimasu/downloads/"
API = "/api/v1/contests/kakomimasu/downloads/"


@pytest.fixture
def files() -> DayFiles:
    played()
    return day_make(contest="kakomimasu", day=YESTERDAY)


@pytest.mark.django_db(transaction=True)  # reading a file gives the connection back
@pytest.mark.parametrize(
    ("page", "api", "name", "kind"),
    [
        ("results.jsonl.zst", "results/", "results.jsonl.zst", "application/zstd"),
        ("replays.tar", "replays/", "replays.tar", "application/x-tar"),
    ],
)
def test_a_file_has_its_name_its_type_and_its_length(
    page: str, api: str, name: str, kind: str, files: DayFiles, client: Client
) -> None:
    size = files.results_bytes if "zst" in name else files.replays_bytes
    digest = files.results_digest if "zst" in name else files.replays_digest
    for url in (f"{HERE}{YESTERDAY}/{page}", f"{API}{YESTERDAY}/{api}"):
        answer = client.get(url)
        assert answer["Content-Type"] == kind
        assert answer["Content-Disposition"] == f'attachment; filename="kakomimasu-{YESTERDAY}-{name}"'
        assert answer["Content-Length"] == str(size)
        assert answer["ETag"] == f'"{digest}"'
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        answer.close()


def test_a_browser_that_has_the_file_gets_no_body_and_no_file_is_read(files: DayFiles, client: Client) -> None:
    storages[DOWNLOADS].delete(files.results_digest)
    answer = client.get(f"{HERE}{YESTERDAY}/results.jsonl.zst", headers={"If-None-Match": f'"{files.results_digest}"'})
    assert (answer.status_code, answer.content) == (304, b"")


def test_a_store_that_is_away_is_503_with_a_sentence(files: DayFiles, client: Client) -> None:
    storages[DOWNLOADS].delete(files.results_digest)
    page = client.get(f"{HERE}{YESTERDAY}/results.jsonl.zst")
    assert page.status_code == 503
    assert "Downloads cannot be read just now." in page.text
    answer = client.get(f"{API}{YESTERDAY}/results/")
    assert (answer.status_code, answer.json()["type"]) == (503, "/api/#unavailable")
    assert answer.json()["detail"].startswith("Downloads cannot be read just now.")


def test_replays_that_are_deleted_are_not_offered_any_more(files: DayFiles, client: Client) -> None:
    DayFiles.objects.update(replays_digest="")
    assert client.get(f"{HERE}{YESTERDAY}/replays.tar").status_code == 404
    assert client.get(f"{API}{YESTERDAY}/replays/").status_code == 404
    listed = client.get(API).json()["results"][0]
    assert (listed["replays"], listed["replays_digest"], listed["replays_count"]) == (None, "", 1)
    page = client.get(HERE).text
    assert "results.jsonl.zst" in page
    assert "replays.tar" not in page


@pytest.mark.parametrize("day", ["2020-02-01", "2020-02-30", "yesterday"])
def test_a_day_without_files_is_not_found(day: str, client: Client) -> None:
    for url in (f"{HERE}{day}/results.jsonl.zst", f"{HERE}{day}/replays.tar", f"{API}{day}/results/"):
        assert client.get(url).status_code == 404
    assert client.get(f"{API}{day}/results/").json()["detail"].endswith(".")


@pytest.mark.django_db(transaction=True)
def test_files_are_read_and_nothing_else(files: DayFiles, client: Client) -> None:
    for name in ("results.jsonl.zst", "replays.tar"):
        url = f"{HERE}{YESTERDAY}/{name}"
        assert client.post(url).status_code == 405
        assert client.head(url).status_code == 200


def test_the_page_says_when_there_are_no_files_yet(client: Client) -> None:
    page = client.get(HERE).text
    assert "No day with rated matches is over yet." in page
    assert "/api/v1/contests/kakomimasu/downloads/" in page


def test_the_board_leads_to_its_files_in_every_contest(client: Client) -> None:
    make_contest("spring", visibility="public")
    for board, here in (("/games/kakomimasu/", HERE), ("/contests/spring/", "/contests/spring/downloads/")):
        assert here in client.get(board).text


def test_many_days_come_page_by_page_newest_first(client: Client) -> None:
    days = [YESTERDAY - timedelta(days=back) for back in range(DAYS_A_PAGE + 3)]
    row = {"matches": 1, "results_digest": "d" * 64, "results_bytes": 1, "replays": 0, "replays_bytes": 0}
    DayFiles.objects.bulk_create(DayFiles(contest_id="kakomimasu", day=day, **row) for day in days)
    first, second = client.get(HERE).text, client.get(f"{HERE}?page=2").text
    assert first.count("results.jsonl.zst") == DAYS_A_PAGE
    assert str(days[0]) in first
    assert str(days[-1]) in second
    assert second.count("results.jsonl.zst") == 3
    assert client.get(f"{HERE}?page=wings").text.count("results.jsonl.zst") == DAYS_A_PAGE
    listed = client.get(API, {"limit": 2}).json()
    assert len(listed["results"]) == 2
    assert listed["next"]
