"""Which days get files, and when: the oldest first, an hour after midnight UTC, and no older matches are read."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from contests.models import Contest
from downloads.converters import DayConverter
from downloads.lines import match_line
from downloads.models import REPLAYS_DAYS, DayFiles
from downloads.selectors.days import SETTLED, day_due, day_files, days_of, matches_of_day, replays_end
from downloads.services import days
from downloads.services.days import day_make, days_make
from jobs.files.storage import Damaged
from matches.models import Match, Seat
from tests.contests.makers import make_contest
from tests.downloads.makers import YESTERDAY, lines_of, played

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
KAKOMIMASU = "kakomimasu"


def made(day: date, contest: str = KAKOMIMASU, **fields: object) -> DayFiles:
    """Make the row of a day without its files."""
    row = {"matches": 1, "results_digest": "d" * 64, "results_bytes": 1, "replays": 0, "replays_bytes": 0, **fields}
    return DayFiles.objects.create(contest_id=contest, day=day, **row)


def in_contest(match: Match, contest: Contest) -> None:
    Match.objects.filter(pk=match.pk).update(contest=contest)


def at_the_clock(monkeypatch: pytest.MonkeyPatch, moment: datetime) -> None:
    monkeypatch.setattr("downloads.selectors.days.timezone.now", lambda: moment)


# --- Which day is next -----------------------------------------------------------------------------------------------


def test_without_a_match_no_day_is_due() -> None:
    assert day_due() is None
    assert DayFiles.objects.count() == 0


def test_the_oldest_day_is_due_first_and_each_contest_has_its_own() -> None:
    played(YESTERDAY)
    played(YESTERDAY - 3 * DAY)
    in_contest(played(YESTERDAY - 3 * DAY), make_contest("autumn"))
    order = []
    while due := day_due():
        order.append(due)
        made(due[1], due[0])
    assert order == [("autumn", YESTERDAY - 3 * DAY), (KAKOMIMASU, YESTERDAY - 3 * DAY), (KAKOMIMASU, YESTERDAY)]


def test_a_day_is_due_an_hour_after_it_has_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """By then all results of the day are committed, also those of a slow transaction at midnight."""
    played(date(2026, 11, 27))
    midnight = datetime(2026, 11, 28, tzinfo=UTC)
    at_the_clock(monkeypatch, midnight + SETTLED - timedelta(seconds=1))
    assert day_due() is None
    at_the_clock(monkeypatch, midnight + SETTLED)
    assert day_due() == (KAKOMIMASU, date(2026, 11, 27))


def test_the_day_that_is_not_over_is_never_due() -> None:
    today = timezone.now().astimezone(UTC).date()
    played(today, hour=0)
    assert day_due() is None


@pytest.mark.parametrize("fields", [{"state": "void"}, {"kind": "challenge"}, {"kind": "trial"}])
def test_matches_that_are_not_rated_make_no_day(fields: dict[str, object]) -> None:
    match = played(YESTERDAY)
    Match.objects.filter(pk=match.pk).update(**fields)
    assert day_due() is None
    assert not matches_of_day(day=YESTERDAY).exists()


def test_a_day_begins_and_ends_at_midnight_utc() -> None:
    first, last, after = played(), played(), played()
    begin = datetime(YESTERDAY.year, YESTERDAY.month, YESTERDAY.day, tzinfo=UTC)
    for match, moment in (
        (first, begin),
        (last, begin + DAY - timedelta(microseconds=1)),
        (after, begin + DAY),
    ):
        Match.objects.filter(pk=match.pk).update(finished_at=moment)
    assert set(matches_of_day(day=YESTERDAY)) == {first, last}


def test_a_late_result_of_an_older_day_makes_no_file_again() -> None:
    """Files never change: whoever has one has the same as everybody."""
    played(YESTERDAY)
    days_make()
    before = DayFiles.objects.get()
    played(YESTERDAY - DAY)
    assert day_due() is None
    days_make()
    assert DayFiles.objects.get() == before


def test_older_matches_are_not_read(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for back in range(3):
        played(YESTERDAY - back * DAY)
    made(YESTERDAY - DAY)
    with django_assert_num_queries(7):  # the newest day, three of it, and three of the day that is due
        assert day_due() == (KAKOMIMASU, YESTERDAY)


# --- What is read of the days ----------------------------------------------------------------------------------------


def test_the_days_of_a_contest_are_listed_newest_first() -> None:
    contest = make_contest("autumn")
    rows = [made(YESTERDAY - back * DAY, "autumn") for back in (2, 0, 1)]
    made(YESTERDAY)
    assert list(days_of(contest=contest)) == [rows[1], rows[2], rows[0]]
    assert day_files(contest=contest, day=YESTERDAY) == rows[1]
    assert day_files(contest=contest, day=YESTERDAY - 9 * DAY) is None


def test_replays_are_kept_for_a_month(monkeypatch: pytest.MonkeyPatch) -> None:
    at_the_clock(monkeypatch, datetime(2026, 11, 30, 0, 30, tzinfo=UTC))
    assert replays_end() == date(2026, 11, 30) - timedelta(days=REPLAYS_DAYS)


@pytest.mark.parametrize("value", ["2026-02-29", "2026-13-01", "0000-01-01"])
def test_a_day_that_does_not_exist_is_no_url(value: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        DayConverter().to_python(value)


def test_a_day_is_written_as_it_is_read() -> None:
    converter = DayConverter()
    assert converter.to_url(converter.to_python("2026-11-28")) == "2026-11-28"
    assert converter.to_url("2026-11-28") == "2026-11-28"


# --- What is made ----------------------------------------------------------------------------------------------------


def test_a_large_day_is_read_in_parts_and_keeps_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(days, "_BATCH", 2)
    matches = [played(hour=hour) for hour in (5, 1, 3, 2, 4)]
    files = day_make(contest=KAKOMIMASU, day=YESTERDAY)
    ended = [matches[index].pk for index in (1, 3, 2, 4, 0)]
    assert [int(line.split(b":")[1].split(b",")[0]) for line in lines_of(files)[1:]] == ended


def test_a_line_says_what_the_match_was_played_by() -> None:
    match = Match.objects.select_related("result").get(pk=played().pk)
    line = match_line(match)
    assert (line.match, line.rules_version, line.seed, line.encounter) == (match.pk, "1", 42, match.encounter)
    assert (line.turns, line.replay) == (match.result.turns, match.result.replay_digest)
    assert line.finished_at == match.finished_at
    seats = {seat.pk: seat for seat in Seat.objects.filter(match=match)}
    assert [(row.cpu_ms_total, row.verdict) for row in line.seats] == [
        (seat.cpu_ms_total, seat.verdict) for seat in seats.values()
    ]


def test_damaged_replays_are_left_out_and_counted_so(monkeypatch: pytest.MonkeyPatch) -> None:
    played()
    bad = played().result.replay_digest
    read = days.file_read

    def file_read(*, store: str, digest: str) -> bytes:
        if digest == bad:
            raise Damaged(digest)
        return read(store=store, digest=digest)  # type: ignore[arg-type]

    monkeypatch.setattr(days, "file_read", file_read)
    files = day_make(contest=KAKOMIMASU, day=YESTERDAY)
    assert (files.matches, files.replays) == (2, 1)


def test_a_day_without_replays_has_no_tar(monkeypatch: pytest.MonkeyPatch) -> None:
    match = played()
    type(match.result).objects.filter(match=match).update(replay_digest="")
    files = day_make(contest=KAKOMIMASU, day=YESTERDAY)
    assert (files.matches, files.replays, files.replays_digest, files.replays_bytes) == (1, 0, "", 0)


def test_after_a_full_disk_the_next_call_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    played(YESTERDAY - DAY)
    played(YESTERDAY)
    store, calls = days.file_store, []

    def file_store(**options: object) -> object:
        calls.append(options)
        if len(calls) == 3:  # the results of the second day
            raise OSError(28, "No space left on device")
        return store(**options)  # type: ignore[arg-type]

    monkeypatch.setattr(days, "file_store", file_store)
    with pytest.raises(OSError, match="No space left"):
        days_make()
    assert [files.day for files in DayFiles.objects.all()] == [YESTERDAY - DAY]
    days_make()
    assert [files.day for files in DayFiles.objects.all()] == [YESTERDAY, YESTERDAY - DAY]


def test_the_name_of_a_day_in_the_admin_and_in_logs() -> None:
    assert str(made(date(2026, 11, 28))) == "kakomimasu 2026-11-28"
