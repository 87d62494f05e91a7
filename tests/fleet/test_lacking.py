"""Workers that lack a language or rules: other workers do the job, and neither bot nor worker is blamed."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from core.message import Message, said
from jobs.leases import ATTEMPTS_MAX, ATTEMPTS_MEMORY_MAX
from jobs.models import Worker
from ladder.models import BotVersion
from ladder.services.builds import BUILDS, build_enqueue
from matches.models import Attempt, Match
from matches.services.lifecycle import match_void
from matches.services.match_jobs import ATTEMPTS_LACKING_MAX, MATCHES
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user
from tests.ladder.makers import make_version as make_upload
from tests.matches.makers import make_match, make_version
from tests.words import english
from wire.jobs import GAME_FAILED, MEMORY, RULES, BuildProgress, BuildReport, Heartbeat, MatchReport

pytestmark = pytest.mark.django_db

POOR, RICH = "play@poor", "play@rich"
SENTENCE = "This worker has no C: install gcc libc6-dev make."


@pytest.fixture(autouse=True)
def workers() -> None:
    make_worker(POOR, languages=["python"])
    make_worker(RICH)


@pytest.fixture
def match() -> Match:
    made = make_match(make_version("ant"), make_version("bee"))
    made.lease_begin()
    made.save()
    Attempt.objects.create(match=made, number=made.attempt, lease_token=made.lease_token)
    return made


@pytest.fixture
def version() -> BotVersion:
    made = make_upload(make_bot("newcomer"), state=BotVersion.State.UPLOADED, artifact_digest="", language="")
    build_enqueue(version=made)
    made.refresh_from_db()
    return made


def test_a_game_whose_rules_failed_is_named_and_costs_the_match_an_attempt(client: Client, match: Match) -> None:
    fault = Message(GAME_FAILED, {"game": "Toy", "package": "toys", "error": "TypeError: <no> JSON"})
    MATCHES.record(
        report=MatchReport(match.pk, match.attempt, match.lease_token, POOR, 0, [], None, platform_fault=fault)
    )
    assert match.attempts.order_by("number")[0].ending == Attempt.Ending.PLATFORM_FAULT
    assert "The rules of Toy (package toys) failed: TypeError: &lt;no&gt; JSON." in fleet_page(client)


def fleet_page(client: Client) -> str:
    client.force_login(make_user("chief", is_staff=True))
    return client.get(reverse("fleet:fleet")).content.decode()


def cannot_play(match: Match, lacks: str = "c") -> None:
    match.refresh_from_db()
    MATCHES.record(
        report=MatchReport(
            match.pk, match.attempt, match.lease_token, POOR, 0, [], None, platform_fault=said(SENTENCE), lacks=lacks
        )
    )
    match.refresh_from_db()


def cannot_build(version: BotVersion) -> None:
    version.refresh_from_db()
    rejection = {
        "failed_step": "compile",
        "verdict": "no language",
        "why": Message("build-no-language", {"language": "C"}),
        "language": "c",
    }
    BUILDS.record(report=BuildReport(version.pk, version.lease_token, POOR, lacks="c", **rejection))
    version.refresh_from_db()


def test_a_match_goes_on_to_others_and_uses_up_none_of_its_attempts(match: Match) -> None:
    for _ in range(5):
        cannot_play(match)
    assert (match.state, match.attempt) == (Match.State.QUEUED, 6)
    ended = match.attempts.exclude(ending="").values_list("ending", "reason", "worker")
    assert {(ending, english(reason), worker) for ending, reason, worker in ended} == {
        (Attempt.Ending.WITHDRAWN, SENTENCE, POOR)
    }


def test_a_match_that_went_round_too_often_has_met_a_failure_of_ours(match: Match) -> None:
    """The attack: a worker falsely reports each time that it lacks a language, and so delays the match for ever."""
    Attempt.objects.update(number=ATTEMPTS_LACKING_MAX)
    Match.objects.update(attempt=ATTEMPTS_LACKING_MAX)
    cannot_play(match)
    assert match.attempts.get(number=ATTEMPTS_LACKING_MAX).ending == Attempt.Ending.PLATFORM_FAULT


@pytest.mark.parametrize("state", [Worker.State.GONE, Worker.State.DRAINING, Worker.State.QUARANTINED])
def test_where_nobody_else_has_the_language_it_is_our_failure(match: Match, state: Worker.State) -> None:
    Worker.objects.filter(name=RICH).update(state=state)
    cannot_play(match)
    assert match.attempts.get(number=1).ending == Attempt.Ending.PLATFORM_FAULT


@pytest.mark.parametrize("lacks", [RULES, MEMORY])
def test_a_match_waits_for_a_worker_with_its_rules_or_memory(match: Match, lacks: str) -> None:
    """The site does not know which workers have these rules; if none has, one soon will, amid an upgrade."""
    Worker.objects.filter(name=RICH).delete()
    held = []
    for _ in range(5):
        cannot_play(match, lacks=lacks)
        held.append(match.held_until is not None)
    assert (match.state, match.attempt) == (Match.State.QUEUED, 6)
    assert held == [False, False, True, True, True], "otherwise it would keep workers from other matches"


def test_an_upload_whose_game_no_worker_knows_fails_by_our_fault_with_the_reason(version: BotVersion) -> None:
    """Unlike a match, an upload has an owner who waits for it and may try again."""
    for _ in range(3):
        version.refresh_from_db()
        report = BuildReport(version.pk, version.lease_token, POOR, platform_fault=said("It is too old."), lacks=RULES)
        BUILDS.record(report=report)
    version.refresh_from_db()
    assert version.state == BotVersion.State.FAILED
    assert english(version.reason).endswith("it is not your bot's fault. The last time: It is too old.")


def test_an_upload_waits_for_memory_for_its_check_match_but_not_for_ever(version: BotVersion) -> None:
    for attempt in range(1, ATTEMPTS_MEMORY_MAX + 1):
        version.refresh_from_db()
        assert (version.state, version.attempt) == (BotVersion.State.UPLOADED, attempt)
        assert (version.held_until is not None) is (attempt >= ATTEMPTS_MAX)
        report = BuildReport(version.pk, version.lease_token, POOR, platform_fault=said("It is full."), lacks=MEMORY)
        BUILDS.record(report=report)
    version.refresh_from_db()
    assert version.state == BotVersion.State.FAILED


def test_the_fleet_page_shows_which_worker_hands_matches_back_and_why(match: Match, client: Client) -> None:
    for _ in range(2):
        cannot_play(match, lacks=RULES)
    page = fleet_page(client)
    assert page.count("in the last two minutes") == 1
    assert f"2 matches went from it to others in the last two minutes. {SENTENCE}" in page
    MATCHES.heartbeat(report=Heartbeat(match.pk, match.lease_token, POOR))
    match_void(match=match, reason=said("A power cut."))
    assert "2 matches went from it" in client.get(reverse("fleet:fleet")).text, "an administrator took the third"


def test_an_upload_is_built_by_another_and_rejected_only_if_nobody_can_build_it(version: BotVersion) -> None:
    for _ in range(5):
        cannot_build(version)
    assert (version.state, version.attempt) == (BotVersion.State.UPLOADED, 1)
    Worker.objects.filter(name=RICH).update(languages=["python"])
    cannot_build(version)
    assert (version.state, version.verdict) == (BotVersion.State.REJECTED, "no language")
    assert english(version.reason) == "This arena has no C."


def test_an_upload_that_was_taken_back_waits_for_no_other_round(version: BotVersion) -> None:
    """Its owner's build in this round failed through no fault of the bot."""
    fresh = make_upload(make_bot("fresh"), state=BotVersion.State.UPLOADED, artifact_digest="")
    BUILDS.heartbeat(report=BuildProgress(version.pk, version.lease_token, "compile", POOR))
    cannot_build(version)
    assert {job.pk: job.is_retry for job, _ in BUILDS.in_flight()} == {version.pk: True, fresh.pk: False}
