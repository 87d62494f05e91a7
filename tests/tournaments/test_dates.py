"""The dates on the page of a tournament: which there are, what they are called, and whether they have passed."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from contests.dates import ContestDate
from tournaments.dates import tournament_dates
from tournaments.models import Tournament

State = Tournament.State
NOW = timezone.now()
SOON, LATER, BEFORE = NOW + timedelta(hours=1), NOW + timedelta(hours=2), NOW - timedelta(hours=1)


def dates(state: str, **fields: object) -> dict[str, ContestDate]:
    """Return the dates of a tournament that is not stored, by their keys."""
    tournament = Tournament(state=state, **{"entry": "sign_up", "results": "at_once", **fields})
    return {each.key: each for each in tournament_dates(tournament=tournament)}


def titles(state: str, **fields: object) -> list[str]:
    return [each.title for each in dates(state, **fields).values()]


@pytest.mark.parametrize(
    ("state", "moments", "expected"),
    [
        ("draft", {}, ["Entries close", "Starts", "Ends"]),
        ("open", {"starts_at": LATER, "entries_until": SOON}, ["Entries close", "Starts", "Ends"]),
        ("open", {"starts_at": LATER, "entries_until": BEFORE}, ["Entries closed", "Starts", "Ends"]),
        ("drawn", {"drawn_at": BEFORE, "starts_at": LATER}, ["Entries closed", "Starts", "Ends"]),
        ("running", {"drawn_at": BEFORE, "started_at": BEFORE}, ["Entries closed", "Started", "Ends"]),
        ("paused", {"drawn_at": BEFORE, "started_at": BEFORE}, ["Entries closed", "Started", "Ends"]),
        (
            "released",
            {"drawn_at": BEFORE, "started_at": BEFORE, "finished_at": NOW},
            ["Entries closed", "Started", "Last match played"],
        ),
    ],
)
def test_each_state_calls_its_dates_by_what_has_happened(
    state: str, moments: dict[str, datetime], expected: list[str]
) -> None:
    assert titles(state, **moments) == expected


@pytest.mark.parametrize("entry", ["board", "list"])
def test_entries_have_no_date_where_owners_enter_nothing(entry: str) -> None:
    assert titles("open", entry=entry) == ["Starts", "Ends"]


def test_entries_closed_with_the_draw_if_it_came_first() -> None:
    """A draw may come before the time that was announced, and entries stay closed from then on."""
    assert dates("drawn", drawn_at=BEFORE, entries_until=SOON)["entries"].at == BEFORE
    assert dates("drawn", drawn_at=NOW, entries_until=BEFORE)["entries"].at == BEFORE
    assert dates("open")["entries"].at is None


@pytest.mark.parametrize(
    ("results", "state", "title", "over"),
    [
        ("by_round", "running", "Results are released", False),
        ("at_end", "finished", "Results are released", False),
        ("at_end", "released", "Results released", True),
    ],
)
def test_hidden_results_have_a_date_of_their_own(results: str, state: str, title: str, over: bool) -> None:
    released = NOW if over else None
    shown = dates(state, results=results, released_at=released)["released"]
    assert (shown.title, shown.at, shown.is_past) == (title, released, over)
    assert "released" not in dates(state)


def test_a_date_that_nobody_knows_has_a_note_instead() -> None:
    found = dates("open", results="by_round")
    notes = {key: each.note for key, each in found.items()}
    assert notes == {
        "entries": "with the draw",
        "starts": "when its organisers say so",
        "ends": "after its last match",
        "released": "round by round",
    }
    assert dates("open", results="at_end")["released"].note == "when its organisers say so"


def test_a_start_by_the_clock_is_shown_until_it_has_begun() -> None:
    assert dates("open", starts_at=LATER)["starts"].at == LATER
    assert dates("running", starts_at=BEFORE, started_at=NOW)["starts"].at == NOW
