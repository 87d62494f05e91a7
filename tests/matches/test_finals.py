"""A freeze ends what came in time, gives every version its games, and signs the board once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from accounts.models import Notification
from contests.models import Contest, FinalBoard
from contests.selectors.contests import upload_problem
from contests.services.clock import contests_tick
from contests.services.contests import contest_change, contest_transition
from core.message import Message
from ladder.models import Bot, BotVersion, Honour
from ladder.services.versions import version_disqualify, version_transition
from matches.models import Match
from matches.selectors.final_boards import matches_left
from matches.selectors.finals import final_games_lacking, final_progress
from matches.services.final_boards import final_boards_sign
from matches.services.lifecycle import matches_void
from matches.services.pairing import contests_to_pair, matches_pair, matches_pair_again
from matches.services.ratings import ratings_refit
from tests.fleet.makers import make_worker
from tests.ladder.makers import DIGEST, make_user, make_version
from tests.matches.finals import (
    FREEZE,
    GAMES,
    LATER,
    NOW,
    board,
    building,
    built,
    field,
    games,
    play_to_the_end,
    play_waiting,
    spring,
)

pytestmark = pytest.mark.usefixtures("no_workers")

State, Stage = Contest.State, Contest.FinalStage


@pytest.mark.database
@pytest.mark.django_db
def test_the_whole_way_from_the_last_upload_to_the_signature() -> None:
    field("Alpha", "Beta", "Delta")
    last = building(spring(), "Gamma", received_at=NOW)
    wrong = building(spring(), "Omega", received_at=NOW)
    contests_tick(at=FREEZE - timedelta(seconds=1))
    assert spring().state == State.OPEN
    contests_tick(at=FREEZE)
    assert (spring().state, spring().final_stage) == (State.FROZEN, Stage.BUILDING)

    final_boards_sign(at=LATER)
    assert (spring().final_stage, contests_to_pair()) == (Stage.BUILDING, [])
    assert matches_pair(contest="spring") == 0, "first what came in time is built"
    version_transition(version=wrong, to=BotVersion.State.REJECTED, step="compile", verdict="compile error")
    built(last)
    last.refresh_from_db()
    assert last.state == BotVersion.State.ACTIVE

    final_boards_sign(at=LATER)
    assert spring().final_stage == Stage.PLAYING
    assert 0 < matches_left(contest="spring").count() <= 8
    play_to_the_end()
    assert {name: count for name, count in games().items() if count < GAMES} == {"Omega": 0}
    assert [row["name"] for row in board()["board"]] == ["Alpha", "Beta", "Delta", "Gamma"]
    assert all(row["games"] >= GAMES for row in board()["board"])
    assert FinalBoard.objects.count() == 1
    assert contests_to_pair() == []

    assert list(Honour.objects.values_list("place", "bot__name")) == [(1, "Alpha"), (2, "Beta"), (3, "Delta")]
    told = Notification.objects.filter(kind="contest_over").order_by("reader__username")
    assert {row.values["name"]: row.values["place"] for row in told} == {"Alpha": 1, "Beta": 2, "Delta": 3, "Gamma": 4}
    final_boards_sign(at=LATER)
    assert (FinalBoard.objects.count(), told.count()) == (1, 4)


@pytest.mark.django_db
def test_bots_that_have_their_games_play_no_more_than_they_are_needed_for() -> None:
    old = field("Alpha", "Beta")
    for _ in range(3):
        matches_pair(contest="spring")
        play_waiting()
    ratings_refit(contest="spring")
    before = games()
    assert min(before.values()) >= GAMES
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    assert final_games_lacking(contest=spring()) == {}
    final_boards_sign()
    assert (spring().final_stage, games()) == (Stage.SIGNED, before)
    assert old[0].bot.name == board()["board"][0]["name"]


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [None, -1])
def test_an_upload_on_its_way_at_the_freeze_is_waited_for(settings: Settings, hours: int | None) -> None:
    settings.UPLOAD_STORED_SECONDS = 90
    field("Alpha", "Beta", entries_until=hours and NOW + timedelta(hours=hours))
    for _ in range(3):
        matches_pair(contest="spring")
        play_waiting()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    if hours:
        assert spring().final_stage == Stage.SIGNED, "after a deadline long ago nothing can be on its way"
        return
    assert spring().final_stage == Stage.PLAYING
    frozen_at = spring().frozen_at
    assert frozen_at is not None
    assert not upload_problem(contest="spring", received_at=frozen_at)
    last = building(spring(), "Gamma", received_at=frozen_at)
    final_boards_sign(at=frozen_at + timedelta(seconds=91))
    assert spring().final_stage == Stage.BUILDING
    built(last)
    play_to_the_end(lambda: final_boards_sign(at=frozen_at + timedelta(seconds=91)))
    assert "Gamma" in [row["name"] for row in board()["board"]]


@pytest.mark.django_db
def test_house_bots_play_along_and_get_no_final_games_of_their_own() -> None:
    field("Alpha", has_house_bots=True)
    owner = make_user("house")
    for number, name in enumerate(("Ring", "Greedy")):
        bot = Bot.objects.create(owner=owner, contest=spring(), game="kakomimasu", name=name, is_house=True)
        make_version(bot, artifact_digest=f"{number:064x}")
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    play_to_the_end()
    assert games()["Alpha"] == GAMES == games()["Ring"] + games()["Greedy"]
    assert list(Honour.objects.values_list("bot__name", flat=True)) == ["Alpha"], "people first"


@pytest.mark.django_db
@pytest.mark.parametrize("names", [("Alpha",), ("Alpha", "Twin")])
def test_who_can_meet_nobody_holds_up_nothing(names: tuple[str, ...]) -> None:
    for version in field(*names):
        BotVersion.objects.filter(pk=version.pk).update(artifact_digest=DIGEST)  # one program never meets itself
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    assert spring().final_stage == Stage.SIGNED
    assert {row.values["outcome"] for row in Notification.objects.all()} == {"unplaced"}


@pytest.mark.django_db
def test_a_version_whose_matches_always_become_void_does_not_keep_the_board_from_being_signed() -> None:
    field("Alpha", "Beta", "Gamma", "Delta")
    contest_transition(contest="spring", to=State.FROZEN, actor=None)

    def step() -> None:
        final_boards_sign()
        of_alpha = matches_left(contest="spring").filter(seats__version__bot__name="Alpha")
        matches_void(matches=list(of_alpha), reason=Message("match-voided"))

    play_to_the_end(step)
    assert games()["Alpha"] == 0
    assert [row["name"] for row in board()["board"]][-1] == "Alpha"


@pytest.mark.django_db
def test_the_queue_of_finals_is_filled_as_matches_end() -> None:
    field(*"ABCDEFGH", final_games=12)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    assert contests_to_pair() == []
    play_waiting(limit=6)
    assert matches_pair_again(contest="spring") >= 6


@pytest.mark.django_db
def test_a_version_that_is_stored_late_but_came_in_time_is_built_and_plays() -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    assert spring().final_stage == Stage.PLAYING
    late = building(spring(), "Delta", received_at=NOW)
    final_boards_sign()
    assert spring().final_stage == Stage.BUILDING
    built(late)
    play_to_the_end()
    assert games()["Delta"] >= GAMES
    assert FinalBoard.objects.count() == 1


@pytest.mark.django_db
def test_at_final_by_the_board_is_signed_as_it_is() -> None:
    field(*"ABCDEF", final_by=LATER)
    late = building(spring(), "Gamma", received_at=NOW)
    contests_tick(at=FREEZE)
    Contest.objects.update(final_stage=Stage.PLAYING)
    assert matches_pair(contest="spring")
    played = play_waiting(limit=4)
    running = Match.objects.filter(state=Match.State.QUEUED).order_by("pk")[0]
    Match.objects.filter(pk=running.pk).update(state=Match.State.RUNNING, lease_ends_at=LATER)

    final_boards_sign(at=LATER - timedelta(seconds=1))
    assert spring().final_stage == Stage.BUILDING, "it waits for what came in time"
    final_boards_sign(at=LATER)
    assert (spring().final_stage, matches_pair(contest="spring")) == (Stage.FITTING, 0)
    assert list(matches_left(contest="spring")) == [running], "what is being played is played on"
    void = Match.objects.filter(state=Match.State.VOID)
    assert {match.void_reason["kind"] for match in void} == {"match-final-by"}
    built(late)
    late.refresh_from_db()
    assert (late.state, late.activated_at) == (BotVersion.State.RETIRED, None)

    Match.objects.filter(pk=running.pk).update(state=Match.State.QUEUED)
    play_waiting()
    final_boards_sign(at=LATER)
    assert spring().final_stage == Stage.SIGNED
    assert board()["matches"] == played + 1
    final_boards_sign(at=LATER)
    assert FinalBoard.objects.count() == 1


@pytest.mark.django_db
def test_a_contest_that_is_opened_in_its_finals_goes_on_and_freezes_again() -> None:
    field(final_by=LATER)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    contest_transition(contest="spring", to=State.OPEN, actor=None)
    assert (spring().final_stage, spring().final_since, spring().final_by) == ("", None, None)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    play_to_the_end()
    contest_transition(contest="spring", to=State.OPEN, actor=None)
    assert not Honour.objects.exists()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    play_to_the_end()
    assert [row.replaces for row in FinalBoard.objects.all()] == ["", ""], "each freeze has a first board"
    assert Notification.objects.filter(kind="contest_over").count() == 2 * 3


@pytest.mark.django_db
def test_a_disqualification_after_the_end_moves_the_honours_up_and_notifies_nobody_again() -> None:
    first, *_others = field(*"ABCD")
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    play_to_the_end()
    one = spring().board_digest
    version_disqualify(version=first, reason="It was copied.")
    ratings_refit(contest="spring")
    final_boards_sign()
    assert list(Honour.objects.values_list("bot__name", flat=True)) == ["B", "C", "D"]
    assert [row.replaces for row in FinalBoard.objects.order_by("pk")] == ["", one]
    assert Notification.objects.filter(kind="contest_over").count() == 4


@pytest.mark.django_db
def test_a_board_that_an_older_arena_signed_during_the_upgrade_ends_its_contest_once() -> None:
    field(final_games=0)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    digest = spring().board_digest
    Contest.objects.update(final_stage="", final_since=None)
    Honour.objects.all().delete()
    Notification.objects.all().delete()
    FinalBoard.objects.all().delete()
    final_boards_sign()
    assert (spring().final_stage, spring().board_digest) == (Stage.SIGNED, digest)
    assert not FinalBoard.objects.exists(), "it was signed already"
    told = Notification.objects.filter(kind="contest_over").count()
    assert told == 3
    final_boards_sign()
    assert Notification.objects.filter(kind="contest_over").count() == told


# --- How far it is --------------------------------------------------------------------------------------------------


@pytest.mark.django_db
def test_the_progress_counts_builds_and_games_and_measures_the_speed() -> None:
    field(*"ABCDEF", final_games=10)
    assert final_progress(contest=spring()) is None
    late = building(spring(), "Late", received_at=NOW)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    progress = final_progress(contest=spring())
    assert progress
    assert (progress.stage, progress.builds, progress.games, progress.games_wanted) == (Stage.BUILDING, 1, 0, 60)
    assert progress.seconds is None, "no worker takes work"

    make_worker("worker-1", processes=2)
    version_transition(version=late, to=BotVersion.State.REJECTED)
    final_boards_sign()
    while Match.objects.rated().count() < 12:
        play_waiting(limit=2)
        matches_pair(contest="spring")
    begun = timezone.now() - timedelta(seconds=60)
    Contest.objects.update(final_since=begun)
    progress = final_progress(contest=spring(), at=begun + timedelta(seconds=120))
    assert progress
    rated = Match.objects.rated().count()
    assert (progress.stage, progress.games, progress.games_wanted) == (Stage.PLAYING, 2 * rated, 60)
    assert progress.seconds == pytest.approx((60 - 2 * rated) / 2 / (rated / 120))
    play_to_the_end()
    assert final_progress(contest=spring()) is None


# --- The settings ---------------------------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"final_games": -1}, "from 0 to"),
        ({"final_games": 1_001}, "from 0 to"),
        ({"final_by": NOW - timedelta(hours=1)}, "passed already"),
        ({"final_by": FREEZE - timedelta(hours=1)}, "before the contest freezes"),
    ],
)
def test_settings_that_cannot_be_are_told(fields: Any, fault: str) -> None:
    field()
    with pytest.raises(Exception, match=fault):
        contest_change(contest="spring", actor=None, **fields)


@pytest.mark.django_db
def test_the_end_of_the_finals_can_be_chosen_while_they_are_played() -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    contest_change(contest="spring", actor=None, final_by=LATER)
    final_boards_sign(at=LATER)
    assert spring().final_stage == Stage.SIGNED
    with pytest.raises(Exception, match="signed already"):
        contest_change(contest="spring", actor=None, final_by=LATER + timedelta(hours=1))
