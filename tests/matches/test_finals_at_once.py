"""Managers that die in the finals of a contest or take them on at once: the board is signed once all the same."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from pytest_django import DjangoDbBlocker

from accounts.models import Notification
from common.errors import IllegalTransition
from contests.models import Contest, FinalBoard
from contests.services.contests import contest_transition
from contests.services.finals import final_transition
from ladder.models import BotVersion, Honour
from ladder.services import honours
from matches.selectors.final_boards import matches_left
from matches.services import final_boards, finals
from matches.services.final_boards import final_board_sign, final_boards_sign
from matches.services.finals import finals_advance
from matches.services.ratings import ratings_refit
from tests.at_once import while_uncommitted
from tests.matches.finals import (
    GAMES,
    NOW,
    board,
    building,
    built,
    field,
    games,
    play_to_the_end,
    spring,
)

pytestmark = pytest.mark.usefixtures("no_workers")

State, Stage = Contest.State, Contest.FinalStage


class Killed(BaseException):
    """What ends a process ends the call, and no handler of errors sees it."""


PLACES = [
    (finals, "builds_in_time"),
    (finals, "final_transition"),
    (finals, "matches_pair"),
    (final_boards, "ratings_refit"),
    (final_boards, "board_content"),
    (final_boards, "file_store"),
    (final_boards, "final_transition"),
    (final_boards, "honours_set"),
    (honours, "notifications_create"),
]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("module", "name"), PLACES, ids=[name for _, name in PLACES])
def test_a_manager_that_dies_anywhere_is_made_up_for_by_the_next(
    monkeypatch: pytest.MonkeyPatch, module: Any, name: str, is_after: bool
) -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    real, killed = getattr(module, name), []

    def dies_once(*args: Any, **named: Any) -> Any:
        if killed:
            return real(*args, **named)
        killed.append(name)
        if is_after:
            real(*args, **named)
        raise Killed

    def step() -> None:
        try:
            final_boards_sign()
        except Killed:
            assert spring().final_stage != Stage.SIGNED
            assert not spring().board_digest

    monkeypatch.setattr(module, name, dies_once)
    play_to_the_end(step)
    assert killed
    assert FinalBoard.objects.count() == 1
    assert Honour.objects.count() == Notification.objects.filter(kind="contest_over").count() == 3
    assert min(games().values()) >= GAMES


@pytest.mark.django_db
def test_the_database_refuses_a_second_signature_of_the_same_board() -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    play_to_the_end()
    signed = FinalBoard.objects.get()
    with pytest.raises(IntegrityError), transaction.atomic():
        FinalBoard.objects.create(contest=spring(), frozen_at=signed.frozen_at, digest="f" * 64)
    Contest.objects.update(final_stage=Stage.FITTING, board_digest="")  # a manager that believes it is its turn
    with pytest.raises(IntegrityError), transaction.atomic():
        final_board_sign(contest="spring")
    with pytest.raises(IllegalTransition):
        final_transition(contest=Contest(slug="spring", final_stage=Stage.SIGNED), to=Stage.PLAYING)


@pytest.mark.django_db(transaction=True)
def test_two_managers_take_the_finals_on_once(django_db_blocker: DjangoDbBlocker) -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)

    def step() -> int:
        finals_advance(contest="spring")
        return matches_left(contest="spring").count()

    left = while_uncommitted(step, step, django_db_blocker)
    assert 0 < left == matches_left(contest="spring").count() <= 8


@pytest.mark.django_db(transaction=True)
def test_two_managers_go_the_whole_way_at_once(django_db_blocker: DjangoDbBlocker) -> None:
    field()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)

    def both() -> None:
        if finals_advance(contest="spring"):
            ratings_refit(contest="spring")
            while_uncommitted(lambda: final_board_sign(contest="spring"), final_boards_sign, django_db_blocker)

    play_to_the_end(both)
    assert FinalBoard.objects.count() == 1
    assert Notification.objects.filter(kind="contest_over").count() == 3


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("is_built_first", [True, False])
def test_a_build_that_meets_final_by_is_on_the_board_or_too_late(
    django_db_blocker: DjangoDbBlocker, is_built_first: bool
) -> None:
    field("Alpha", "Beta", final_by=NOW - timedelta(minutes=1), frozen_at=None)
    late = building(spring(), "Gamma", received_at=NOW)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)

    def build() -> None:
        built(late)

    acts: list[Callable[[], object]] = [build, lambda: finals_advance(contest="spring")]
    while_uncommitted(*(acts if is_built_first else acts[::-1]), django_db_blocker)
    final_boards_sign()
    final_boards_sign()
    late.refresh_from_db()
    assert (late.state == BotVersion.State.ACTIVE) == is_built_first
    assert ("Gamma" in [row["name"] for row in board()["board"]]) == is_built_first
    assert FinalBoard.objects.count() == 1
