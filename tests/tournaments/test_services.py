"""Organisers take tournaments from the draft to the release; each refusal is a sentence, and nothing is lost."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone, translation
from pytest_django import DjangoDbBlocker

from accounts.models import AuditEntry, Notification, User
from accounts.services.closing import account_close
from common.errors import FieldsError, InputError
from contests.models import Contest, Member
from contests.services.contests import contest_transition
from ladder.models import BotVersion
from matches.models import Match, Result
from matches.selectors.replays_kept import matches_to_thin
from tests.at_once import while_uncommitted
from tests.ladder.makers import make_user
from tests.tournaments.makers import KNOCKOUT, finish, finish_by_strength, make_tournament, make_versions
from tests.tournaments.playing import begin, play_out, strength_of, waiting
from tournaments.models import Entrant, Table, Tournament
from tournaments.selectors.tournaments import draw_preview, entrants_at_fault
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.pairings import table_decide_by_hand
from tournaments.services.stepping import tournament_step
from tournaments.services.tournaments import (
    round_release,
    tournament_change,
    tournament_create,
    tournament_delete,
    tournament_draw,
    tournament_draw_again,
    tournament_draw_take_back,
    tournament_open,
    tournament_pause,
    tournament_release,
    tournament_resume,
    tournament_start,
)

pytestmark = pytest.mark.django_db

State = Tournament.State
Left = Entrant.Left


@pytest.fixture
def organiser() -> User:
    user = make_user("oda")
    Member.objects.create(contest_id="kakomimasu", user=user, role=Member.Role.ORGANISER)
    return user


def fresh(tournament: Tournament) -> Tournament:
    """Read a tournament anew."""
    return Tournament.objects.get(pk=tournament.pk)


def kinds() -> list[tuple[str, str]]:
    """Return kind and reader of all notifications."""
    return sorted(Notification.objects.values_list("kind", "reader__username"))


# --- The way through the states --------------------------------------------------------------------------------------


def test_a_tournament_goes_from_the_draft_to_its_release(organiser: User) -> None:
    versions = make_versions(4)
    made = tournament_create(
        contest="kakomimasu", slug="cup", actor=organiser, title="Cup", stages=KNOCKOUT, results="by_round"
    )
    tournament_open(tournament=made.pk, actor=organiser)
    for version in versions:
        entrant_enter(tournament=made.pk, bot=version.bot_id, actor=version.bot.owner)
    tournament_draw(tournament=made.pk, actor=organiser)
    tournament_start(tournament=made.pk, actor=organiser)
    with pytest.raises(InputError, match="still being played"):
        round_release(tournament=made.pk, actor=organiser)
    play_out(made)
    assert made.state == State.FINISHED
    assert not Match.objects.filter(is_hidden=False).exists()
    assert {kind for kind, _ in kinds()} == {"tournament_begins"}
    assert round_release(tournament=made.pk, actor=organiser).number == 1
    assert Match.objects.filter(is_hidden=False).count() == 4
    assert {kind for kind, _ in kinds()} == {"tournament_begins"}
    tournament_release(tournament=made.pk, actor=organiser)
    assert not Match.objects.filter(is_hidden=True).exists()
    over = Notification.objects.get(kind="tournament_over", reader__username="moat-owner")
    assert over.text == "The tournament Cup is over: Moat came in place 1 of 4."
    assert over.url == "/games/kakomimasu/tournaments/cup/"
    acts = ["create", "open", "draw", "start", "release"]
    assert list(
        AuditEntry.objects.filter(act__startswith="tournament").order_by("pk").values_list("act", flat=True)
    ) == [f"tournament_{act}" for act in acts]
    assert AuditEntry.objects.filter(act="round_release", actor=organiser).exists()


ACTS: dict[str, Callable[..., Any]] = {
    "open": tournament_open,
    "draw": tournament_draw,
    "take_back": tournament_draw_take_back,
    "start": tournament_start,
    "pause": lambda **values: tournament_pause(**values, reason="A break."),
    "resume": tournament_resume,
    "release": tournament_release,
}
ALLOWED = {
    "draft": {"open": "open"},
    "open": {"draw": "drawn"},
    "drawn": {"take_back": "open", "start": "running"},
    "running": {"pause": "paused"},
    "paused": {"resume": "running"},
    "finished": {"release": "released"},
    "released": {},
}


@pytest.mark.parametrize("state", State.values)
@pytest.mark.parametrize("act", ACTS)
def test_each_state_allows_its_acts_alone(state: str, act: str) -> None:
    tournament = make_tournament(state, results="at_end")
    if to := ALLOWED[state].get(act):
        ACTS[act](tournament=tournament.pk, actor=None)
    else:
        with pytest.raises(InputError, match=r"\.$"):
            ACTS[act](tournament=tournament.pk, actor=None)
    tournament.refresh_from_db()
    assert tournament.state == (to or state)


def test_a_draw_is_made_once_and_taken_back_before_the_first_result() -> None:
    tournament = begin()
    with pytest.raises(InputError, match="drawn already"):
        tournament_draw(tournament=tournament.pk, actor=None)
    lots, matches = tournament.lots, [match.pk for match in waiting(tournament)]
    tournament_draw_take_back(tournament=tournament.pk, actor=None)
    tournament.refresh_from_db()
    assert tournament.state == State.OPEN
    assert tournament.lots != lots
    assert not tournament.rounds.exists()
    assert set(Match.objects.filter(pk__in=matches).values_list("state", flat=True)) == {"void"}
    tournament_draw(tournament=tournament.pk, actor=None)
    tournament_start(tournament=tournament.pk, actor=None)
    finish(waiting(tournament)[0], [1, 2])
    for act in (tournament_draw_take_back, tournament_delete):
        with pytest.raises(InputError, match="results already"):
            act(tournament=tournament.pk, actor=None)


def test_a_tournament_without_results_is_deleted_and_its_matches_are_void() -> None:
    tournament = begin()
    tournament_delete(tournament=tournament.pk, actor=None)
    assert not Tournament.objects.exists()
    assert set(Match.objects.values_list("state", flat=True)) == {"void"}


@pytest.mark.parametrize(
    ("fields", "name", "sentence"),
    [
        ({"title": ""}, "title", "title"),
        ({"slug": "Up"}, "slug", "small letters"),
        ({"slug": "new"}, "slug", "uses this name itself"),
        ({"stages": [{"format": "ladder"}]}, "stages", "cannot be read"),
        ({"stages": [{"format": "swiss", "rounds": 3, "table_size": 5}]}, "stages", "cannot play"),
        ({"entry": "board"}, "entrants_max", "how many"),
        ({"entrants_max": 1}, "entrants_max", "whole number"),
        ({"starts_at": timezone.now() - timedelta(days=1)}, "starts_at", "passed"),
    ],
)
def test_fields_that_cannot_be_are_refused_by_name(fields: dict[str, Any], name: str, sentence: str) -> None:
    given = {"title": "Cup", "stages": KNOCKOUT, "slug": "cup", **fields}
    with pytest.raises(FieldsError, match=sentence) as refused:
        tournament_create(contest="kakomimasu", actor=None, **given)
    assert list(refused.value.fields) == [name]
    assert not Tournament.objects.exists()


def test_the_rules_of_a_drawn_tournament_do_not_change() -> None:
    tournament = make_tournament("drawn")
    tournament_change(tournament=tournament.pk, actor=None, title="Other", stages=KNOCKOUT)
    with pytest.raises(FieldsError, match="has been drawn"):
        tournament_change(tournament=tournament.pk, actor=None, results="at_end")


# --- Entrants and the draw -------------------------------------------------------------------------------------------


def test_the_draw_seeds_by_rating_and_names_who_is_left_out() -> None:
    versions = make_versions(6)
    tournament = make_tournament("open", entrants=list(reversed(versions)), entrants_max=4)
    BotVersion.objects.filter(pk=versions[0].pk).update(state="retired")
    preview = draw_preview(tournament=tournament)
    assert [entrant.bot.name for entrant in preview.entrants] == ["Keep", "Tower", "Gate", "Wall"]
    assert [entrant.bot.name for entrant in preview.left_out] == ["Bailey", "Moat"]
    assert preview.draw is not None
    assert all(table.why for table in preview.draw.pairings)
    newer = BotVersion.objects.get(pk=versions[1].pk)
    newer.pk, newer.number = None, 2
    BotVersion.objects.filter(pk=versions[1].pk).update(state="retired")
    newer.save()  # it has no rating yet
    tournament_draw(tournament=tournament.pk, actor=None)
    drawn = tournament.entrants.filter(number__isnull=False).order_by("number")
    assert [entrant.version.bot.name for entrant in drawn] == ["Tower", "Gate", "Wall", "Bailey"]
    assert tournament.entrants.count() == 6


def test_the_best_of_the_board_play() -> None:
    versions = make_versions(5)
    BotVersion.objects.filter(pk=versions[1].pk).update(state="probation")
    tournament = make_tournament("open", entrants=[], entry="board", entrants_max=3)
    tournament_draw(tournament=tournament.pk, actor=None)
    assert [str(each.bot) for each in tournament.entrants.all()] == ["Moat", "Tower", "Gate"]
    tournament_draw_take_back(tournament=tournament.pk, actor=None)
    assert not tournament.entrants.exists()


@pytest.mark.parametrize("language", ["en", "ja", "ru"])
def test_too_few_entrants_get_a_sentence_and_stay_entered(language: str) -> None:
    tournament = make_tournament("open", entrants=1)
    with translation.override(language), pytest.raises(InputError, match="1") as refused:
        tournament_draw(tournament=tournament.pk, actor=None)
    assert "tournament-" not in str(refused.value)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.entrants.count()) == (State.OPEN, 1)


def test_owners_enter_their_own_bots_until_the_end_of_entries(organiser: User) -> None:
    first, second = make_versions(2)
    tournament = make_tournament("open", entrants=[], entry="sign_up")

    def enter(version: BotVersion, actor: User) -> Entrant:
        return entrant_enter(tournament=tournament.pk, bot=version.bot_id, actor=actor)

    with pytest.raises(InputError, match="own bots"):
        enter(first, second.bot.owner)
    entrant = enter(first, first.bot.owner)
    with pytest.raises(InputError, match="entered already"):
        enter(first, first.bot.owner)
    with pytest.raises(InputError, match="none of your bots"):
        entrant_remove(entrant=entrant.pk, actor=second.bot.owner)
    BotVersion.objects.filter(pk=second.pk).update(state="rejected")
    with pytest.raises(InputError, match="no active version"):
        enter(second, second.bot.owner)
    BotVersion.objects.filter(pk=second.pk).update(state="active")
    Tournament.objects.update(entries_until=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InputError, match="they were until"):
        enter(second, second.bot.owner)
    enter(second, organiser)
    entrant_remove(entrant=entrant.pk, actor=first.bot.owner)
    assert [str(each.bot) for each in tournament.entrants.all()] == ["Keep"]


# --- Leaving, and tables decided by hand -----------------------------------------------------------------------------


def test_a_disqualified_bot_loses_what_it_has_not_played(organiser: User) -> None:
    tournament = begin()
    best = tournament.entrants.get(number=1)
    with pytest.raises(InputError, match="Only an organiser"):
        entrant_leave(entrant=best.pk, left=Left.DISQUALIFIED, reason="", actor=best.bot.owner)
    with pytest.raises(InputError, match="none of your bots"):
        entrant_leave(
            entrant=best.pk, left=Left.WITHDRAWN, reason="", actor=tournament.entrants.get(number=2).bot.owner
        )
    with pytest.raises(InputError, match="give a reason"):
        entrant_leave(entrant=best.pk, left=Left.DISQUALIFIED, reason=" ", actor=organiser)
    entrant_leave(entrant=best.pk, left=Left.DISQUALIFIED, reason="It was copied.", actor=organiser)
    with pytest.raises(InputError, match="left the tournament already"):
        entrant_leave(entrant=best.pk, left=Left.WITHDRAWN, reason="Why.", actor=organiser)
    table = Table.objects.get(seats__entrant=best)
    assert (table.outcome, table.winner) == ("forfeit", 4)
    assert set(table.matches.values_list("match__state", flat=True)) == {"void"}
    assert ("tournament_left", best.bot.owner.username) in kinds()
    play_out(tournament)
    assert list(tournament.entrants.order_by("number").values_list("place", flat=True)) == [3, 1, 3, 2]


def test_a_bot_that_leaves_between_two_rounds_keeps_its_results() -> None:
    tournament = begin()
    strength = strength_of(tournament)
    best = tournament.entrants.get(number=1)
    for match in waiting(tournament)[:2]:
        finish_by_strength(match, strength)
    tournament_step(tournament=tournament.pk)
    entrant_leave(entrant=best.pk, left=Left.WITHDRAWN, reason="", actor=best.bot.owner)
    best.refresh_from_db()
    assert (best.left_stage, best.left_round) == (0, 2)
    play_out(tournament)
    assert list(tournament.entrants.order_by("number").values_list("place", flat=True)[:2]) == [2, 1]


def test_organisers_decide_tables_of_the_newest_round_by_hand() -> None:
    tournament = begin(results="at_end")
    first, second = Table.objects.order_by("number")
    with pytest.raises(InputError, match="2 numbers from 0 to 1"):
        table_decide_by_hand(table=first.pk, points=[2, 0], reason="Why.", actor=None)
    with pytest.raises(InputError, match="give a reason"):
        table_decide_by_hand(table=first.pk, points=[0, 1], reason="", actor=None)
    table_decide_by_hand(table=first.pk, points=[1, 0], reason="A power cut.", actor=None)
    table_decide_by_hand(table=first.pk, points=[0, 1], reason="I was wrong.", actor=None)
    assert set(first.matches.values_list("match__state", flat=True)) == {"void"}
    table_decide_by_hand(table=second.pk, points=[1, 0], reason="A power cut.", actor=None)
    for closed in (first, second):
        with pytest.raises(InputError, match="round is closed"):
            table_decide_by_hand(table=closed.pk, points=[1, 0], reason="Late.", actor=None)
    final = Table.objects.get(round__number=2)
    assert sorted(final.seats.values_list("entrant__number", flat=True)) == [2, 4]
    play_out(tournament)
    assert tournament.entrants.get(place=1).number == 2
    seats = list(final.seats.order_by("index").values_list("entrant__number", flat=True))
    points = [float(number == 4) for number in seats]
    table_decide_by_hand(table=final.pk, points=points, reason="A bug of the game.", actor=None)
    assert tournament.entrants.get(place=1).number == 4
    tournament_release(tournament=tournament.pk, actor=None)
    with pytest.raises(InputError, match="over"):
        table_decide_by_hand(table=final.pk, points=points, reason="Too late.", actor=None)
    assert AuditEntry.objects.filter(act="table_decide_by_hand").count() == 4


def test_a_final_decided_otherwise_is_followed_by_one_more_table() -> None:
    tournament = begin(stages=[{"format": "double_elimination"}], results="at_end")
    play_out(tournament)
    assert tournament.state == State.FINISHED
    final = Table.objects.get(group="final")
    table_decide_by_hand(table=final.pk, points=[0, 1], reason="A bug of the game.", actor=None)
    tournament.refresh_from_db()
    assert (tournament.state, tournament.finished_at) == (State.RUNNING, None)
    with pytest.raises(InputError, match="round is closed"):
        table_decide_by_hand(table=final.pk, points=[1, 0], reason="Late.", actor=None)
    play_out(tournament)
    assert tournament.state == State.FINISHED
    assert Table.objects.filter(group="reset").count() == 1
    assert sorted(tournament.entrants.values_list("place", flat=True)) == [1, 2, 3, 4]


def test_a_round_is_released_once_and_stays() -> None:
    tournament = make_tournament("finished", results="by_round")
    first, last = tournament.rounds.order_by("number")
    round_release(tournament=tournament.pk, actor=None, wanted=first.pk)
    with pytest.raises(InputError, match="public already"):  # a button that is pressed twice
        round_release(tournament=tournament.pk, actor=None, wanted=first.pk)
    assert list(tournament.rounds.filter(released_at=None)) == [last]
    round_release(tournament=tournament.pk, actor=None, wanted=last.pk)
    with pytest.raises(InputError, match="are public"):
        table_decide_by_hand(table=last.tables.get().pk, points=[0, 1], reason="Too late.", actor=None)


def test_who_left_a_draw_is_not_in_the_next_one() -> None:
    tournament = make_tournament("drawn", entry="sign_up")
    best = tournament.entrants.get(number=1)
    entrant_leave(entrant=best.pk, left=Left.WITHDRAWN, reason="", actor=best.bot.owner)
    tournament_draw_take_back(tournament=tournament.pk, actor=None)
    tournament_draw(tournament=tournament.pk, actor=None)
    assert set(tournament.entrants.values_list("number", flat=True)) == {1, 2, 3, None}
    assert tournament.entrants.get(number=None).bot == best.bot


def test_a_disqualified_bot_does_not_come_back() -> None:
    """Neither by the board, nor by its owner, who takes its entry back to enter it again."""
    tournament = make_tournament("drawn", entry="board", entrants_max=4)
    best = tournament.entrants.get(number=1)
    entrant_leave(entrant=best.pk, left=Left.DISQUALIFIED, reason="It was copied.", actor=None)
    tournament_draw_take_back(tournament=tournament.pk, actor=None)
    assert best.bot not in [entrant.bot for entrant in draw_preview(tournament=fresh(tournament)).entrants]
    with pytest.raises(InputError, match="have disqualified"):
        entrant_remove(entrant=best.pk, actor=best.bot.owner)


def test_a_draw_that_cannot_be_made_again_stays() -> None:
    tournament = make_tournament("drawn", entry="sign_up", entrants=2, starts_at=timezone.now() + timedelta(hours=1))
    starts_at = fresh(tournament).starts_at
    lots = tournament.lots
    tournament_draw_again(tournament=tournament.pk, actor=None)
    assert (fresh(tournament).starts_at, fresh(tournament).lots == lots) == (starts_at, False)
    best = tournament.entrants.get(number=1)
    entrant_leave(entrant=best.pk, left=Left.WITHDRAWN, reason="", actor=best.bot.owner)
    with pytest.raises(InputError, match="2 to 512"):
        tournament_draw_again(tournament=tournament.pk, actor=None)
    assert fresh(tournament).state == "drawn"


def test_a_draft_whose_start_has_passed_is_not_announced() -> None:
    tournament = make_tournament("draft", starts_at=timezone.now() - timedelta(hours=1))
    with pytest.raises(InputError, match="start of the tournament has passed"):
        tournament_open(tournament=tournament.pk, actor=None)


def test_a_bot_at_fault_in_every_match_is_named_once_its_results_are_told(organiser: User) -> None:
    tournament = begin(results="at_end")
    while matches := waiting(tournament):
        for match in matches:
            numbers = [
                tournament.entrants.get(version=seat.version_id).number for seat in match.seats.order_by("index")
            ]
            verdicts = ["crashed" if number == 4 else "" for number in numbers]
            ranks = [1 + sum(other < number for other in numbers) for number in numbers]
            finish(match, ranks, verdicts=verdicts)
        tournament_step(tournament=tournament.pk)
    tournament.refresh_from_db()
    assert entrants_at_fault(tournament=tournament, reader=None) == []
    assert [str(each.bot) for each in entrants_at_fault(tournament=tournament, reader=organiser)] == ["Gate"]
    assert ("tournament_faults", "gate-owner") not in kinds()
    tournament_release(tournament=tournament.pk, actor=organiser)
    assert [str(each.bot) for each in entrants_at_fault(tournament=tournament, reader=None)] == ["Gate"]
    assert [reader for kind, reader in kinds() if kind == "tournament_faults"] == ["gate-owner"]


# --- Contests, accounts and replays ----------------------------------------------------------------------------------


@pytest.mark.parametrize("state", State.values)
def test_a_contest_is_archived_when_its_tournaments_are_over(state: str) -> None:
    contest = Contest.objects.create(
        slug="spring", title="Spring", game="kakomimasu", state="frozen", board_digest="d" * 64
    )
    make_tournament(state, entrants=4, contest="spring")
    if state in ("draft", "released"):
        contest_transition(contest="spring", to=Contest.State.ARCHIVED, actor=None)
    else:
        with pytest.raises(InputError, match="Spring final is not over"):
            contest_transition(contest="spring", to=Contest.State.ARCHIVED, actor=None)
    contest.refresh_from_db()
    assert contest.state == ("archived" if state in ("draft", "released") else "frozen")


def test_the_bots_of_a_closed_account_play_on() -> None:
    tournament = begin()
    owner = tournament.entrants.get(number=1).bot.owner
    account_close(user=owner, actor=owner)
    play_out(tournament)
    assert tournament.entrants.get(place=1).number == 1


def test_replays_of_tournaments_are_never_thinned() -> None:
    tournament = begin()
    play_out(tournament)
    contest = tournament.contest
    contest.replays_kept = 1
    Result.objects.update(replay_digest="e" * 64)
    assert matches_to_thin(contest=contest) == []
    Match.objects.update(kind="challenge")
    assert matches_to_thin(contest=contest)


@pytest.mark.django_db(transaction=True)
def test_a_draw_waits_for_an_entry_that_is_just_made(django_db_blocker: DjangoDbBlocker) -> None:
    versions = make_versions(3)
    tournament = make_tournament("open", entrants=versions[1:], entry="sign_up")
    while_uncommitted(
        lambda: entrant_enter(tournament=tournament.pk, bot=versions[0].bot_id, actor=versions[0].bot.owner),
        lambda: tournament_draw(tournament=tournament.pk, actor=None),
        django_db_blocker,
    )
    assert [str(each.bot) for each in tournament.entrants.order_by("number")] == ["Moat", "Keep", "Tower"]
