"""The state machine of a version."""

from __future__ import annotations

from itertools import product

import pytest
from django.utils import timezone

from common.errors import IllegalTransition, InputError
from ladder.models import BotVersion
from ladder.services.versions import version_retire, version_transition
from tests.ladder.makers import DIGEST, make_bot, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State = BotVersion.State
ALLOWED = {
    ("uploaded", "building"),
    ("uploaded", "active"),
    ("uploaded", "rejected"),
    ("uploaded", "failed"),
    ("uploaded", "retired"),
    ("building", "uploaded"),
    ("building", "active"),
    ("building", "rejected"),
    ("building", "failed"),
    ("building", "retired"),
    ("active", "probation"),
    ("active", "retired"),
    ("probation", "active"),
    ("probation", "retired"),
    ("failed", "uploaded"),
    ("failed", "retired"),
}


@pytest.mark.parametrize(("start", "to"), list(product(State.values, State.values)))
def test_only_listed_transitions_are_allowed(start: str, to: str) -> None:
    version = make_version(state=start)
    if (start, to) in ALLOWED:
        assert version_transition(version=version, to=State(to)).state == to
    else:
        with pytest.raises(IllegalTransition):
            version_transition(version=version, to=State(to))
    version.refresh_from_db()
    assert version.state == (to if (start, to) in ALLOWED else start)


def test_a_transition_starts_from_the_state_in_the_database() -> None:
    version = make_version(state=State.BUILDING)
    version_transition(version=version, to=State.REJECTED)
    with pytest.raises(IllegalTransition):
        version_transition(version=version, to=State.ACTIVE)


def test_fields_of_the_build_are_stored() -> None:
    version = make_version(state=State.BUILDING, artifact_digest="")
    after = version_transition(version=version, to=State.REJECTED, step="check", verdict="time", sentence="Slow.")
    version.refresh_from_db()
    assert (version.step, version.verdict, version.sentence) == ("check", "time", "Slow.")
    assert after == version


def test_an_activation_retires_the_older_version_and_inherits() -> None:
    bot = make_bot()
    older = make_version(bot)
    newer = version_transition(version=make_version(bot, state=State.BUILDING), to=State.ACTIVE)
    older.refresh_from_db()
    assert (older.state, newer.state, newer.parent) == (State.RETIRED, State.ACTIVE, older)
    assert newer.activated_at is not None


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
    assert "A newer version was ready first" in late.sentence
    newer.refresh_from_db()
    assert newer.state == State.ACTIVE


def test_other_bots_are_left_alone() -> None:
    other = make_version(make_bot("Other"))
    version_transition(version=make_version(make_bot("Mine"), state=State.BUILDING), to=State.ACTIVE)
    other.refresh_from_db()
    assert other.state == State.ACTIVE


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


def test_a_withdrawn_version_cannot_be_withdrawn_again() -> None:
    version = version_retire(version=make_version())
    with pytest.raises(InputError, match="cannot be withdrawn"):
        version_retire(version=version)
