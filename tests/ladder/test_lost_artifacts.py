"""The store has lost a bot: its matches would fail for ever, so it is built again from its upload."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from django.core.files.storage import storages
from structlog.testing import capture_logs

from core.message import said
from jobs.files.storage import ARTIFACTS, file_store
from ladder.models import BotVersion
from matches.models import Match
from matches.services.match_jobs import MATCHES
from tests.matches.makers import make_match, make_version
from tests.words import english
from wire.jobs import MatchReport

pytestmark = pytest.mark.django_db

Commit = Callable[..., AbstractContextManager[object]]
State = BotVersion.State


@pytest.fixture
def ant() -> BotVersion:
    """A version whose upload is stored, but whose artifact is not."""
    bundle = file_store(store=ARTIFACTS, chunks=[b"upload"], max_bytes=10).digest
    return make_version("ant", bundle_digest=bundle, artifact_digest="a" * 64, upload_name="ant.py")


@pytest.fixture
def failed(ant: BotVersion, django_capture_on_commit_callbacks: Commit) -> Callable[[], None]:
    """Report a platform fault in a match of the ant against a bot whose artifact is stored."""
    there = file_store(store=ARTIFACTS, chunks=[b"artifact"], max_bytes=10).digest
    bee = make_version("bee", bundle_digest=ant.bundle_digest, artifact_digest=there)

    def fail() -> None:
        match = make_match(ant, bee, options={"board": "A-1"})
        MATCHES.requeue(match)
        match.refresh_from_db()
        with django_capture_on_commit_callbacks(execute=True):
            MATCHES.record(report=platform_fault(match))

    return fail


def platform_fault(match: Match) -> MatchReport:
    fault = said("It could not be had.")
    return MatchReport(
        match.pk,
        match.attempt,
        match.lease_token,
        "play@here",
        turns=0,
        seats=[],
        replay_digest=None,
        platform_fault=fault,
    )


def test_it_is_built_again_from_the_same_upload(ant: BotVersion, failed: Callable[[], None]) -> None:
    failed()
    again = ant.bot.versions.get(number=2)
    assert (again.state, again.bundle_digest, again.upload_name) == (State.UPLOADED, ant.bundle_digest, "ant.py")
    assert again.lease_token
    ant.refresh_from_db()
    assert ant.state == State.ACTIVE  # until the other is ready
    assert english(ant.reason).endswith("missing from the store; it was built again as v2.")
    assert BotVersion.objects.filter(bot__name="bee").count() == 1


def test_once_is_enough_also_where_it_came_to_nothing(ant: BotVersion, failed: Callable[[], None]) -> None:
    failed()
    failed()
    ant.bot.versions.filter(number=2).update(state=State.REJECTED)
    failed()
    assert ant.bot.versions.count() == 2


def test_without_its_upload_an_error_is_logged_for_administrators(ant: BotVersion, failed: Callable[[], None]) -> None:
    """The store's folder may just not be mounted, so no bot is changed."""
    storages[ARTIFACTS].delete(ant.bundle_digest)
    with capture_logs() as logs:
        failed()
    assert ant.bot.versions.count() == 1
    lost = [line for line in logs if line["event"] == "artifact_lost"]
    assert [(line["version"], line["can_be_made"], line["log_level"]) for line in lost] == [(ant.pk, False, "error")]


def test_a_store_that_is_away_has_lost_nothing(
    ant: BotVersion, failed: Callable[[], None], away: Callable[[], None]
) -> None:
    away()
    with capture_logs() as logs:
        failed()
    assert ant.bot.versions.count() == 1
    events = {line["event"] for line in logs}
    assert "store_away" in events
    assert "artifact_lost" not in events
