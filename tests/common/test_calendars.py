"""Calendars, read back by a parser, by their bytes, and around the changes of clocks."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from icalendar import Calendar, vText

from common.calendars import Occasion, calendar_of

OPENS = Occasion("opens", "begins", datetime(2026, 12, 1, 9, tzinfo=UTC))
TITLE = "春の番付, весна; \\ 2027\nATTENDEE:mailto:eve@example.org"


def file(*occasions: Occasion, title: str = TITLE) -> bytes:
    return calendar_of(
        uid="spring.arena.example", title=title, url="https://arena.example/contests/spring/", occasions=occasions
    )


def test_a_calendar_is_read_back_as_it_was_meant() -> None:
    closes = Occasion(
        "closes", "takes no bots any more", datetime(2026, 11, 1, 1, 30, tzinfo=ZoneInfo("America/New_York"))
    )
    calendar = Calendar.from_ical(file(OPENS, closes))
    assert calendar["uid"] == "spring.arena.example"
    assert calendar["name"] == calendar["x-wr-calname"] == vText(TITLE).to_ical().decode()
    first, second = calendar.events
    assert str(first["summary"]) == f"{TITLE}: begins"
    assert (first["uid"], second["uid"]) == ("opens.spring.arena.example", "closes.spring.arena.example")
    assert (first.start, first.end) == (OPENS.at, OPENS.at)
    assert second.start == datetime(2026, 11, 1, 5, 30, tzinfo=UTC), "the first of the two half past ones"
    assert first["url"] == "https://arena.example/contests/spring/"


def test_a_title_cannot_bring_lines_of_its_own() -> None:
    """The attack: a title with a line break would add events and attendees to the calendars of all subscribers."""
    lines = file(OPENS).replace(b"\r\n ", b"").decode().split("\r\n")
    assert not any(line.startswith("ATTENDEE") for line in lines)
    assert "DTSTART:20261201T090000Z" in lines


def test_lines_are_short_enough_for_every_program_and_end_as_they_must() -> None:
    lines = file(OPENS, title="番付" * 90).split(b"\r\n")
    assert max(map(len, lines)) <= 75
    assert not any(b"\n" in line for line in lines)
    for line in lines:
        line.decode()  # no character is torn apart


def test_a_calendar_without_dates_is_one() -> None:
    assert Calendar.from_ical(file()).events == []
