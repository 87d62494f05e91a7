"""What organisers may set, and until when; a field at fault is named with a sentence, and nothing is half done."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import AuditEntry, User
from common.edits import EditedError, edit_mark
from common.errors import FieldsError, InputError
from contests.models import Contest
from formats.model import Format, Stage
from formats.stages import ENTRANTS_MAX, STAGES_MAX
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.tournaments.makers import KNOCKOUT, make_tournament
from tournaments.models import Tournament
from tournaments.services import tournaments
from tournaments.services.tournaments import (
    tournament_change,
    tournament_create,
    tournament_delete,
    tournament_draw_again,
    tournament_pause,
)
from tournaments.services.transitions import REASON_CHARS_MAX, reason_checked, tournament_transition
from tournaments.validation import FIELDS, SLUGS_RESERVED, TEXTS, stages_problems, tournament_faults

pytestmark = pytest.mark.django_db

NOW = timezone.now()
SOON, LATER, BEFORE = NOW + timedelta(hours=1), NOW + timedelta(hours=2), NOW - timedelta(hours=1)
State = Tournament.State


@pytest.fixture
def oda() -> User:
    return make_user("oda", is_staff=True)


def create(slug: str = "cup", contest: str = "kakomimasu", **fields: Any) -> Tournament:
    return tournament_create(contest=contest, slug=slug, actor=None, **{"title": "Cup", "stages": KNOCKOUT, **fields})


def faults(**fields: Any) -> dict[str, str]:
    """Return the sentences by field that refuse a new tournament; empty if it is made."""
    try:
        create(**fields)
    except FieldsError as error:
        return error.fields
    return {}


def changed(tournament: Tournament, **fields: Any) -> dict[str, str]:
    try:
        tournament_change(tournament=tournament.pk, actor=None, **fields)
    except FieldsError as error:
        return error.fields
    return {}


# --- Making ----------------------------------------------------------------------------------------------------------


def test_a_draft_has_what_was_typed_and_defaults_for_the_rest(oda: User) -> None:
    made = tournament_create(contest="kakomimasu", slug=" cup ", actor=oda, title="Cup", stages=KNOCKOUT)
    made.refresh_from_db()
    assert (made.slug, made.title, made.state, made.entry, made.results) == (
        "cup",
        "Cup",
        "draft",
        "sign_up",
        "at_once",
    )
    assert made.stages_read() == (Stage(made.stages_read()[0].format),)
    assert made.lots > 0
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.target, entry.actor) == ("tournament_create", "kakomimasu/cup", oda)


def test_a_draft_may_get_its_stages_later() -> None:
    assert faults(stages=[]) == {}


def test_lots_are_secret_and_never_the_same() -> None:
    assert len({create(slug=f"cup-{number}").lots for number in range(5)}) == 5


@pytest.mark.parametrize("slug", [*sorted(SLUGS_RESERVED), "Up", "a b", "", "x" * 41, "a/b", "ä"])
def test_a_key_is_one_that_urls_can_have(slug: str) -> None:
    found = faults(slug=slug)
    assert list(found) == ["slug"]
    assert found["slug"].endswith(".")


def test_a_key_is_taken_once_in_a_contest(oda: User) -> None:
    make_contest("spring")
    create()
    assert list(faults()) == ["slug"]
    assert faults(contest="spring") == {}


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"title": "  "}, "title"),
        ({"title": "x" * 101}, "title"),
        ({"title": "a\0b"}, "title"),
        ({"prizes": "x" * 501}, "prizes"),
        ({"entry": "lottery"}, "entry"),
        ({"results": "never"}, "results"),
        ({"entrants_max": 1}, "entrants_max"),
        ({"entrants_max": ENTRANTS_MAX + 1}, "entrants_max"),
        ({"entrants_max": True}, "entrants_max"),
        ({"entry": "board"}, "entrants_max"),
        ({"starts_at": BEFORE}, "starts_at"),
        ({"starts_at": SOON, "entries_until": LATER}, "entries_until"),
        ({"stages": [{"format": "swiss"}]}, "stages"),
        ({"stages": [{"format": "swiss", "rounds": 3, "wings": 2}]}, "stages"),
        ({"stages": KNOCKOUT * (STAGES_MAX + 1)}, "stages"),
        ({"stages": [{"format": "single_elimination", "goes_on": 4}]}, "stages"),
    ],
)
def test_each_field_at_fault_is_named(fields: dict[str, Any], name: str) -> None:
    found = faults(**fields)
    assert list(found) == [name]
    assert found[name].endswith(".")
    assert not Tournament.objects.exists()
    assert not AuditEntry.objects.exists()


def test_all_faults_are_told_at_once() -> None:
    assert set(faults(title="", entrants_max=1, starts_at=BEFORE)) == {"title", "entrants_max", "starts_at"}


def test_the_end_of_entries_may_lie_in_the_past() -> None:
    """That closes them at once."""
    assert faults(entries_until=BEFORE) == {}
    assert faults(slug="other", entries_until=BEFORE, starts_at=SOON) == {}


def test_a_contest_takes_so_many_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: an organiser fills the arena with them."""
    monkeypatch.setattr(tournaments, "TOURNAMENTS_MAX", 2)
    make_contest("spring")
    for number in range(2):
        create(slug=f"cup-{number}")
    with pytest.raises(InputError, match="at most 2 tournaments"):
        create(slug="one-more")
    create(contest="spring")


@pytest.mark.parametrize(("contest", "word"), [("nothing", "no such contest"), ("spring", "archived")])
def test_an_archived_contest_and_one_that_is_not_there_take_none(contest: str, word: str) -> None:
    make_contest("spring", state="archived")
    with pytest.raises(InputError, match=word):
        create(contest=contest)


# --- Changing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", State.values)
def test_texts_change_in_every_state(state: str) -> None:
    tournament = make_tournament(state)
    assert changed(tournament, title="Other", description="More.", prizes="A cup") == {}
    tournament.refresh_from_db()
    assert tournament.title == "Other"
    assert set(TEXTS) == {"title", "description", "prizes"}


@pytest.mark.parametrize("state", [state for state in State.values if state not in ("draft", "open")])
@pytest.mark.parametrize(
    "fields",
    [{"results": "at_end"}, {"entrants_max": 8}, {"entries_until": SOON}, {"stages": [{"format": "round_robin"}]}],
    ids=lambda fields: next(iter(fields)),
)
def test_all_else_is_fixed_by_the_draw(state: str, fields: dict[str, Any]) -> None:
    tournament = make_tournament(state)
    found = changed(tournament, **fields)
    assert list(found) == list(fields)
    assert "has been drawn" in found[next(iter(fields))]


@pytest.mark.parametrize(
    ("state", "is_free"), [("draft", True), ("drawn", True), ("running", False), ("paused", False)]
)
def test_the_time_of_the_start_changes_until_it_starts(state: str, is_free: bool) -> None:
    found = changed(make_tournament(state), starts_at=SOON)
    assert (found == {}) is is_free
    assert is_free or "has begun already" in found["starts_at"]


def test_what_was_right_when_it_was_set_is_no_fault_later() -> None:
    tournament = make_tournament("open", starts_at=BEFORE, title="Cup")
    assert changed(tournament, title="Other", starts_at=BEFORE) == {}
    assert list(changed(tournament, starts_at=BEFORE - timedelta(hours=1))) == ["starts_at"]


def test_another_time_takes_away_why_it_could_not_start() -> None:
    tournament = make_tournament("open", reason={"kind": "text", "args": {"text": "Too few."}})
    changed(tournament, title="Other")
    tournament.refresh_from_db()
    assert tournament.reason
    changed(tournament, starts_at=SOON)
    tournament.refresh_from_db()
    assert tournament.reason == {}


def test_with_bots_entered_it_does_not_go_by_the_board() -> None:
    tournament = make_tournament("open", entrants=2)
    found = changed(tournament, entry="board", entrants_max=8)
    assert "Remove them first" in found["entry"]
    tournament.entrants.all().delete()
    assert changed(tournament, entry="board", entrants_max=8) == {}


def test_two_organisers_do_not_overwrite_each_other() -> None:
    tournament = make_tournament("open")
    mark = edit_mark(row=tournament, names=FIELDS)
    changed(tournament, title="First")
    with pytest.raises(EditedError):
        tournament_change(tournament=tournament.pk, actor=None, read=mark, title="Second")
    tournament.refresh_from_db()
    assert tournament.title == "First"


def test_the_log_names_what_has_changed_and_nothing_for_no_change(oda: User) -> None:
    tournament = make_tournament("open")
    tournament_change(tournament=tournament.pk, actor=oda, title=tournament.title)
    assert not AuditEntry.objects.exists()
    tournament_change(tournament=tournament.pk, actor=oda, title="Other", prizes="A cup")
    assert AuditEntry.objects.get().target == "kakomimasu/final: prizes, title"


def test_stages_are_stored_in_their_short_form() -> None:
    tournament = make_tournament("open")
    changed(tournament, stages=[{"format": "swiss", "rounds": 3, "groups": 1, "best_of": 1}])
    tournament.refresh_from_db()
    assert tournament.stages == [{"format": "swiss", "rounds": 3}]


def test_a_game_that_is_not_installed_has_no_tournaments() -> None:
    contest = Contest(slug="spring", game="gone")
    [problem] = stages_problems(contest=contest, stages=[Stage(Format.SINGLE_ELIMINATION)])
    assert problem.kind == "tournament-no-game"


def test_a_check_asks_the_database_nothing(django_assert_num_queries: Any) -> None:
    tournament = Tournament(contest=Contest.objects.get(pk="kakomimasu"), slug="cup", title="Cup", stages=KNOCKOUT)
    with django_assert_num_queries(0):
        assert tournament_faults(tournament=tournament, before=None) == {}


# --- Reasons and states ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reason", "word"),
    [("", "give a reason"), ("  \n", "give a reason"), ("x" * (REASON_CHARS_MAX + 1), "at most 500"), ("a\0b", "NUL")],
)
def test_a_reason_is_a_text_that_everybody_can_read(reason: str, word: str) -> None:
    tournament = make_tournament("running")
    with pytest.raises(InputError, match=word):
        tournament_pause(tournament=tournament.pk, actor=None, reason=reason)
    tournament.refresh_from_db()
    assert tournament.state == "running"
    assert reason_checked(f" {'x' * REASON_CHARS_MAX} ") == "x" * REASON_CHARS_MAX


def test_a_state_that_cannot_follow_is_refused_in_words() -> None:
    tournament = make_tournament("draft")
    with pytest.raises(InputError, match="in preparation cannot become being played"):
        tournament_transition(tournament=tournament, to=State.RUNNING)


def test_resuming_is_no_second_start_and_taking_back_forgets_the_moments() -> None:
    tournament = make_tournament("paused")
    started = tournament.started_at
    tournament_transition(tournament=tournament, to=State.RUNNING)
    assert tournament.started_at == started
    tournament_transition(tournament=tournament, to=State.OPEN)
    assert (tournament.drawn_at, tournament.started_at) == (None, None)


def test_drawing_again_keeps_the_time_of_the_start() -> None:
    tournament = make_tournament("drawn", starts_at=SOON)
    lots = tournament.lots
    tournament_draw_again(tournament=tournament.pk, actor=None)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.starts_at) == ("drawn", SOON)
    assert tournament.lots != lots


@pytest.mark.parametrize("state", ["draft", "open", "drawn"])
def test_what_was_not_played_is_deleted_and_the_log_says_so(state: str, oda: User) -> None:
    tournament = make_tournament(state)
    tournament_delete(tournament=tournament.pk, actor=oda)
    assert not Tournament.objects.exists()
    assert AuditEntry.objects.get().target == "kakomimasu/final"
    with pytest.raises(InputError, match="no such tournament any more"):
        tournament_delete(tournament=tournament.pk, actor=oda)


@pytest.mark.parametrize("state", ["finished", "released"])
def test_results_are_not_deleted(state: str) -> None:
    tournament = make_tournament(state)
    with pytest.raises(InputError, match="its results stay"):
        tournament_delete(tournament=tournament.pk, actor=None)
    assert Tournament.objects.filter(pk=tournament.pk).exists()
