"""How a contest runs: its dates and stages, its rules, sizes and limits, and what it takes at which moment."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone, translation
from pytest_django import Settings

from common.errors import IllegalTransition, InputError
from contests.dates import contest_dates, next_date, stage_of
from contests.models import Contest, Member
from contests.selectors.contests import (
    archive_problem,
    bot_limits,
    check_size,
    contest_is_over,
    contest_options,
    contest_ruleset,
    contest_state,
    contests_chosen,
    contests_on_own_hosts,
    contests_to_enter,
    duel_problem,
    limits_installed,
    own_hosts_only,
    packages_problems,
    play_problem,
    tables_of,
    takes_bots,
    upload_problem,
)
from contests.selectors.facts import contest_about, contest_facts
from contests.services.finals import final_transition
from games.registry import game_named
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from wire.jobs import BotLimits

State, Stage = Contest.State, Contest.FinalStage
HOUR = timedelta(hours=1)


def unsaved(**fields: Any) -> Contest:
    return Contest(**{"slug": "spring", "title": "Spring cup", "game": "kakomimasu", "state": State.OPEN, **fields})


# --- Dates ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "stage"),
    [
        ({"state": State.DRAFT}, "draft"),
        ({}, "running"),
        ({"entries_until": timezone.now() + HOUR}, "running"),
        ({"entries_until": timezone.now() - HOUR}, "last matches"),
        ({"state": State.PAUSED}, "paused"),
        ({"state": State.FROZEN, "final_stage": Stage.PLAYING}, "final matches"),
        ({"state": State.FROZEN, "final_stage": Stage.SIGNED}, "over"),
        ({"state": State.ARCHIVED}, "archived"),
    ],
)
def test_a_contest_says_in_a_word_where_it_is(fields: dict[str, Any], stage: str) -> None:
    assert stage_of(unsaved(**fields)) == stage


def test_dates_that_nobody_has_chosen_say_how_they_come() -> None:
    dates = contest_dates(contest=unsaved())
    assert [(date.key, date.at, date.is_past) for date in dates] == [
        ("entries", None, False),
        ("frozen", None, False),
        ("signed", None, False),
    ]
    assert [date.note for date in dates] == ["with the freeze", "when its organisers say so", "after its last match"]
    assert next_date(unsaved()) is None


def test_dates_come_in_their_order_and_the_next_one_is_the_first_to_come() -> None:
    now = timezone.now()
    contest = unsaved(state=State.DRAFT, opens_at=now + HOUR, entries_until=now + 2 * HOUR, frozen_at=now + 3 * HOUR)
    contest.final_by = now + 4 * HOUR
    dates = contest_dates(contest=contest)
    assert [date.title for date in dates] == [
        "Opens",
        "Uploads close",
        "Freezes",
        "Final board signed at the latest",
    ]
    assert [date.at for date in dates] == sorted(date.at for date in dates if date.at)
    assert next_date(contest) == dates[0]
    contest.state, contest.entries_until = State.OPEN, now - HOUR
    dates = contest_dates(contest=contest)
    assert [(date.title, date.is_past) for date in dates[:2]] == [("Opened", True), ("Uploads closed", True)]
    assert next_date(contest) == dates[2]


def test_a_freeze_closes_uploads_before_their_deadline() -> None:
    now = timezone.now()
    contest = unsaved(state=State.FROZEN, entries_until=now + HOUR, frozen_at=now - HOUR, final_stage=Stage.SIGNED)
    contest.board_signed_at = now
    entries, frozen, signed = contest_dates(contest=contest)
    assert (entries.at, frozen.at, signed.at) == (now - HOUR, now - HOUR, now)
    assert [date.title for date in (entries, frozen, signed)] == ["Uploads closed", "Frozen", "Final board signed"]
    assert next_date(contest) is None
    contest.entries_until = now - 2 * HOUR
    assert contest_dates(contest=contest)[0].at == now - 2 * HOUR


# --- Uploads --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "stage", "before", "after"),
    [
        (State.OPEN, "", True, True),
        (State.PAUSED, "", True, True),
        (State.FROZEN, Stage.BUILDING, True, False),
        (State.FROZEN, Stage.PLAYING, True, False),
        (State.FROZEN, Stage.FITTING, False, False),
        (State.FROZEN, Stage.SIGNED, False, False),
        (State.ARCHIVED, Stage.SIGNED, False, False),
    ],
)
def test_what_came_before_the_freeze_plays_until_the_board_is_being_signed(
    state: str, stage: str, before: bool, after: bool
) -> None:
    frozen_at = datetime(2026, 12, 1, 9, tzinfo=UTC)
    contest = unsaved(state=state, final_stage=stage, frozen_at=frozen_at)
    assert contest.plays_if_received(frozen_at) is before
    assert contest.plays_if_received(frozen_at - HOUR) is before
    assert contest.plays_if_received(frozen_at + timedelta(microseconds=1)) is after


def test_uploads_are_stored_for_a_while_after_freeze_and_deadline(settings: Settings) -> None:
    at = datetime(2026, 12, 1, 9, tzinfo=UTC)
    wait = timedelta(seconds=settings.UPLOAD_STORED_SECONDS)
    assert unsaved(frozen_at=at).stores_until() == at + wait
    assert unsaved(frozen_at=at, entries_until=at - HOUR).stores_until() == at - HOUR + wait
    assert unsaved(frozen_at=at, entries_until=at + HOUR).stores_until() == at + wait


@pytest.mark.django_db
@pytest.mark.parametrize("state", State)
def test_a_contest_says_why_it_takes_no_bots_or_makes_no_matches(state: str) -> None:
    contest = make_contest(state=state)
    is_taking = state in (State.OPEN, State.PAUSED)
    assert takes_bots(contest=contest) is is_taking
    assert (upload_problem(contest=contest.slug) == "") is is_taking
    assert (play_problem(state) == "") is (state == State.OPEN)
    assert duel_problem(contest=contest) == play_problem(state)
    assert contest_state(contest=contest.slug) == state
    assert contest_is_over(contest=contest.slug) is (state in (State.FROZEN, State.ARCHIVED))
    assert (archive_problem(contest=contest.slug) != "") is (state == State.ARCHIVED)


@pytest.mark.django_db
def test_a_contest_that_is_not_there_takes_nothing() -> None:
    assert upload_problem(contest="unknown").startswith("There is no such contest here.")
    assert contest_state(contest="unknown") == State.ARCHIVED
    assert archive_problem(contest="unknown")
    with pytest.raises(InputError, match="There is no such contest here"):
        contests_chosen(slug="unknown")
    make_contest()
    assert contests_chosen(slug="spring") == ["spring"]
    assert {"spring", "kakomimasu"} <= set(contests_chosen(slug=None))


@pytest.mark.django_db
def test_a_late_upload_is_told_deadline_and_arrival() -> None:
    at = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    contest = make_contest(entries_until=at)
    assert upload_problem(contest=contest.slug, received_at=at - timedelta(microseconds=1)) == ""
    late = upload_problem(contest=contest.slug, received_at=at)
    assert late.endswith("Your upload reached us at 2026-01-02 03:04:05.000 UTC.")
    assert late.startswith(upload_problem(contest=contest.slug))


@pytest.mark.django_db
def test_bots_are_entered_in_open_contests_then_own_ones_then_other_public_ones(settings: Settings) -> None:
    alice = make_user("alice")
    for slug, fields in {
        "b-public": {"visibility": "public"},
        "a-public": {"visibility": "public"},
        "mine": {},
        "hidden": {},
        "unlisted": {"visibility": "unlisted"},
        "closed": {"visibility": "public", "entries_until": timezone.now() - HOUR},
        "draft": {"visibility": "public", "state": State.DRAFT},
        "paused": {"visibility": "public", "state": State.PAUSED},
        "over": {"visibility": "public", "state": State.FROZEN},
    }.items():
        make_contest(slug, title=slug, **fields)
    Member.objects.create(contest_id="mine", user=alice)
    found = [contest.slug for contest in contests_to_enter(reader=alice)]
    games = len(settings.GAMES)
    assert (found[:games], found[games:]) == (list(settings.GAMES), ["mine", "a-public", "b-public", "paused"])
    assert [each.slug for each in contests_to_enter(reader=alice, game="puyo")] == ["puyo"]
    for wanted, is_added in (("unlisted", True), ("closed", True), ("hidden", False), ("draft", False), ("\0", False)):
        keys = [contest.slug for contest in contests_to_enter(reader=alice, wanted=wanted)]
        assert keys == found + [wanted] * is_added
    assert [each.slug for each in contests_to_enter(reader=alice, game="puyo", wanted="unlisted")] == ["puyo"]


# --- Rules and limits -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tables", "shares", "check"),
    [
        ({}, {2: 1.0}, 2),
        ({"4": 1}, {4: 1.0}, 4),
        ({"4": 3, "2": 1}, {2: 0.25, 4: 0.75}, 4),
        ({"2": 1, "3": 1, "4": 1}, {2: 1 / 3, 3: 1 / 3, 4: 1 / 3}, 4),
        ({"2": 5, "4": 1}, {2: 5 / 6, 4: 1 / 6}, 2),
    ],
)
def test_shares_of_table_sizes_sum_up_to_one(tables: dict[str, float], shares: dict[int, float], check: int) -> None:
    contest = unsaved(tables=tables)
    assert list(tables_of(contest=contest).items()) == list(shares.items())
    assert check_size(contest=contest) == check


def test_a_contest_plays_the_first_ruleset_with_what_it_has_chosen() -> None:
    game = game_named("kakomimasu")
    first = next(iter(game.rulesets))
    assert contest_ruleset(contest=unsaved()) == first
    assert contest_options(contest=unsaved(options={"board": "A-1"})) == {**game.rulesets[first], "board": "A-1"}
    gone = unsaved(game="gone", options={"size": 3})
    assert (contest_options(contest=gone), tables_of(contest=gone)) == ({"size": 3}, {2: 1.0})


def test_limits_are_those_of_the_contest_the_installation_and_the_game(settings: Settings) -> None:
    settings.BOT_LIMITS = {"kakomimasu": {"memory_mib": 300, "pids_max": 32}}
    limits = bot_limits(contest=unsaved(limits={"memory_mib": 400, "a limit of old": 1}))
    assert (limits.memory_mib, limits.pids_max) == (400, 32)
    assert limits_installed(game="kakomimasu").memory_mib == 300
    assert limits_installed(game="gone") == BotLimits(), "a game of no package has the defaults"
    for wrong in ({"memory_mib": 0}, {"wings": 2}, {"memory_mib": "much"}):
        settings.BOT_LIMITS = {"kakomimasu": wrong}
        with pytest.raises(ImproperlyConfigured, match="BOT_LIMITS for kakomimasu cannot be given"):
            limits_installed(game="kakomimasu")


def test_nothing_is_wrong_with_the_games_of_the_source_tree() -> None:
    assert packages_problems() == []


def test_facts_name_what_differs_from_an_open_contest() -> None:
    contest = unsaved(limits={"memory_mib": 300, "time_percent": 50}, bots_max=2, tables={"2": 1, "4": 3})
    facts = dict(contest_facts(contest))
    assert facts["Memory (MiB)"] == "300"
    assert facts["Time of each answer"] == "50 % of the game's"
    assert facts["Bots a participant"] == "2"
    assert facts["Bots at a table (share of matches)"] == "2 (25 %), 4 (75 %)"
    assert "Open tables a participant" not in facts
    with translation.override("ja"):
        assert "- Memory (MiB): 300\n" in contest_about(contest), "a README is English"
    assert contest_facts(unsaved(game="gone")) == []
    assert contest_facts(Contest(slug="kakomimasu", game="kakomimasu")) == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("visibility", "agrees", "kept"),
    [("private", False, True), ("private", True, False), ("unlisted", False, False), ("public", False, False)],
)
def test_jobs_of_a_private_contest_are_kept_from_hosts_of_others(visibility: str, agrees: bool, kept: bool) -> None:
    contest = make_contest(visibility=visibility, other_hosts=agrees)
    member = Member.objects.create(contest=contest, user=make_user())
    assert contest.keeps_to_own_hosts is kept
    assert (contest.slug in contests_on_own_hosts()) is kept
    assert Member.objects.filter(own_hosts_only(at="contest"), pk=member.pk).exists() is kept


# --- The finals -----------------------------------------------------------------------------------------------------

STAGES: dict[str, set[Stage | None]] = {
    "": {None, Stage.BUILDING, Stage.PLAYING, Stage.FITTING},
    Stage.BUILDING: {None, Stage.PLAYING, Stage.FITTING},
    Stage.PLAYING: {None, Stage.BUILDING, Stage.FITTING},
    Stage.FITTING: {None, Stage.SIGNED},
    Stage.SIGNED: {None},
}


@pytest.mark.parametrize("before", STAGES)
@pytest.mark.parametrize("after", [None, *Stage])
def test_the_finals_go_on_as_the_table_says(before: str, after: Stage | None) -> None:
    contest = unsaved(state=State.FROZEN, final_stage=before)
    if after not in STAGES[before]:
        with pytest.raises(IllegalTransition, match="cannot go from"):
            final_transition(contest=contest, to=after)
        assert contest.final_stage == before
        return
    final_transition(contest=contest, to=after)
    assert (contest.final_stage, contest.final_since is None) == (after or "", after is None)
    assert contest.is_in_finals is (contest.final_stage != Stage.SIGNED)
    assert contest.is_paired is (after == Stage.PLAYING)
