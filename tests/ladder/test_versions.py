"""The state machine of a version."""

from __future__ import annotations

from contextlib import nullcontext
from itertools import product

import pytest
from django.utils import timezone

from common.errors import IllegalTransition
from ladder.models import BotVersion
from ladder.services.versions import version_retire, version_transition
from tests.ladder.makers import DIGEST, make_bot, make_version
from tests.words import english

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State = BotVersion.State
ALLOWED = {
    "received": {"uploaded", "rejected", "retired"},
    "uploaded": {"building", "active", "rejected", "failed", "retired"},
    "building": {"uploaded", "active", "rejected", "failed", "retired"},
    "active": {"probation", "retired"},
    "probation": {"active", "retired"},
    "failed": {"uploaded", "retired"},
}


@pytest.mark.parametrize(("start", "to"), list(product(State.values, State.values)))
def test_only_listed_transitions_are_allowed(start: str, to: str) -> None:
    version = make_version(state=start)
    is_allowed = to in ALLOWED.get(start, ())
    with nullcontext() if is_allowed else pytest.raises(IllegalTransition):
        assert version_transition(version=version, to=State(to)).state == to
    version.refresh_from_db()
    assert version.state == (to if is_allowed else start)


def test_a_transition_starts_from_the_state_in_the_database() -> None:
    version = make_version(state=State.BUILDING)
    version_transition(version=version, to=State.REJECTED)
    with pytest.raises(IllegalTransition):
        version_transition(version=version, to=State.ACTIVE)


def test_an_activation_retires_the_older_version_and_inherits() -> None:
    bot = make_bot()
    older, other = make_version(bot), make_version(make_bot("Other"))
    newer = version_transition(version=make_version(bot, state=State.BUILDING), to=State.ACTIVE)
    older.refresh_from_db()
    other.refresh_from_db()
    assert (older.state, newer.state, newer.parent) == (State.RETIRED, State.ACTIVE, older)
    assert newer.activated_at is not None
    assert other.state == State.ACTIVE, "other bots are left alone"


def test_the_parent_is_the_last_that_was_active_even_if_withdrawn() -> None:
    bot = make_bot()
    first = version_retire(version=make_version(bot))
    make_version(bot, state=State.REJECTED)
    third = version_transition(version=make_version(bot, state=State.BUILDING), to=State.ACTIVE)
    assert third.parent == first


def test_a_version_that_is_built_too_late_does_not_replace_a_newer_one() -> None:
    bot = make_bot()
    late = make_version(bot, state=State.BUILDING)
    newer = make_version(bot)
    late = version_transition(version=late, to=State.ACTIVE)
    assert (late.state, late.parent) == (State.RETIRED, None), "nobody inherits from a newer one"
    assert "A newer version was ready first" in english(late.reason)
    newer.refresh_from_db()
    assert newer.state == State.ACTIVE


@pytest.mark.parametrize("to", [State.ACTIVE, State.REJECTED, State.FAILED, State.RETIRED, State.UPLOADED])
def test_leaving_the_builder_drops_the_lease(to: State) -> None:
    version = make_version(
        state=State.BUILDING, artifact_digest=DIGEST, lease_token="a" * 32, lease_ends_at=timezone.now()
    )
    after = version_transition(version=version, to=to)
    assert (after.lease_token, after.lease_ends_at) == ("", None)


def test_a_version_being_built_keeps_its_lease() -> None:
    version = make_version(state=State.UPLOADED, lease_token="a" * 32)
    assert version_transition(version=version, to=State.BUILDING).lease_holds("a" * 32)
