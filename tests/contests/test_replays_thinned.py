"""Archived contests keep the replays that their rule names; no file goes that another row refers to."""

from __future__ import annotations

import pytest
from django.core.files.storage import storages
from django.test import Client
from django.utils import timezone

from accounts.models import Notification
from common.errors import InputError
from contests.models import Contest, Member
from jobs.files.storage import REPLAYS, ContentStorage
from ladder.models import BotVersion
from ladder.news import PROBATION
from ladder.services.notifications import notification_create
from matches.models import Match, Result, Seat
from matches.selectors.replays_kept import thinning_of
from matches.services import replays
from matches.services.replays import replays_thin
from matches.services.reruns import match_rerun
from tests.contests.playing import make_contest, make_entry, make_member, play
from tests.matches.makers import store_replay
from tests.visitors import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest() -> Contest:
    return make_contest(replays_kept=1)


@pytest.fixture
def versions(contest: Contest) -> list[BotVersion]:
    return [make_entry(contest, name) for name in ("Alpha", "Beta", "Gamma")]


def played(contest: Contest, *versions: BotVersion, score: float = 1) -> int:
    """Play a match whose scores and length are no records, with a replay of its own; return its key."""
    match = play(contest, *versions)
    Result.objects.filter(match=match).update(replay_digest=store_replay(f"replay {match.pk}".encode()))
    Seat.objects.filter(match=match).update(score=score)
    return match.pk


def archive(contest: Contest) -> None:
    contest.state, contest.board_signed_at = Contest.State.ARCHIVED, timezone.now()
    contest.save()


def kept() -> set[int]:
    return set(Result.objects.exclude(replay_digest="").values_list("match", flat=True))


@pytest.mark.database
def test_the_newest_of_each_pair_and_the_records_stay_as_told_before(
    contest: Contest, versions: list[BotVersion], client: Client
) -> None:
    alpha, beta, gamma = versions
    record = played(contest, alpha, beta, score=99)
    longest = played(contest, alpha, beta)
    Result.objects.filter(match=longest).update(turns=10_000)
    thinned = [played(contest, alpha, beta), played(contest, beta, alpha)]
    newest = [played(contest, alpha, beta), played(contest, gamma, beta)]
    digests = set(Result.objects.filter(match__in=thinned).values_list("replay_digest", flat=True))
    Contest.objects.filter(pk=contest.pk).update(state=Contest.State.FROZEN, board_digest="b" * 64)
    replays_thin()
    contest.refresh_from_db()
    told = thinning_of(contest=contest)
    assert told
    assert (told.replays, told.kept) == (len(thinned), 1)
    assert f"{told.replays} are deleted" in client.get("/contests/spring/").content.decode()
    olga = signed_in(make_member(contest, "Olga", Member.Role.ORGANISER))
    assert f"{told.replays} are deleted" in olga.get("/contests/spring/desk/").content.decode()
    archive(contest)
    replays_thin()
    assert kept() == {record, longest, *newest}
    assert not any(storages[REPLAYS].exists(digest) for digest in digests)
    contest.refresh_from_db()
    assert contest.replays_thinned_at


@pytest.mark.database
def test_a_match_of_three_is_kept_by_one_of_its_pairs(contest: Contest, versions: list[BotVersion]) -> None:
    alpha, beta, gamma = versions
    of_three = played(contest, alpha, beta, gamma)
    played(contest, alpha, beta, score=2)
    archive(contest)
    replays_thin()
    assert of_three in kept()


def test_a_file_stays_that_another_row_has(contest: Contest, versions: list[BotVersion]) -> None:
    alpha, beta, _gamma = versions
    played(contest, alpha, beta, score=9)
    old, _new = played(contest, alpha, beta), played(contest, alpha, beta)
    digest = Result.objects.get(match=old).replay_digest
    archive(contest)
    other = make_contest("autumn")
    elsewhere = play(other, make_entry(other, "Delta"), make_entry(other, "Epsilon"))
    Result.objects.filter(match=elsewhere).update(replay_digest=digest)
    replays_thin()
    assert old not in kept()
    assert storages[REPLAYS].exists(digest)


def test_a_run_ends_after_a_while_and_the_next_goes_on(
    contest: Contest, versions: list[BotVersion], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(contest, *versions[:2], score=9)
    for _match in range(4):
        played(contest, *versions[:2])
    archive(contest)
    monkeypatch.setattr(replays, "_BATCH", 1)
    monkeypatch.setattr(replays, "THIN_SECONDS", -1.0)
    left = []
    for _run in range(4):  # each has the time for one replay
        replays_thin()
        left.append(len(kept()))
    assert left == [4, 3, 2, 2]


def test_a_process_that_dies_has_the_rest_done_by_the_next(
    contest: Contest, versions: list[BotVersion], monkeypatch: pytest.MonkeyPatch
) -> None:
    played(contest, *versions[:2], score=9)
    old, newest = played(contest, *versions[:2]), played(contest, *versions[:2])
    digest = Result.objects.get(match=old).replay_digest
    archive(contest)

    class Killed(BaseException):
        """What ends a process ends the call, and no handler of errors sees it."""

    def delete_and_die(_storage: object, name: str) -> None:
        assert name == digest
        deleted.append(name)
        raise Killed

    deleted: list[str] = []
    with monkeypatch.context() as patch:
        patch.setattr(ContentStorage, "delete", delete_and_die)
        with pytest.raises(Killed):
            replays_thin()
    assert deleted
    assert old in kept()
    replays_thin()
    assert kept() == {old - 1, newest}
    assert not storages[REPLAYS].exists(digest)


@pytest.mark.parametrize("state", [Contest.State.OPEN, Contest.State.FROZEN])
def test_nothing_goes_before_the_archive(contest: Contest, versions: list[BotVersion], state: str) -> None:
    for _match in range(3):
        played(contest, *versions[:2])
    Contest.objects.filter(pk=contest.pk).update(state=state)
    replays_thin()
    assert len(kept()) == 3


def test_a_match_without_its_replay_says_so(contest: Contest, versions: list[BotVersion], client: Client) -> None:
    played(contest, *versions[:2], score=9)
    old, _new = played(contest, *versions[:2]), played(contest, *versions[:2])
    archive(contest)
    replays_thin()
    page = client.get(f"/matches/{old}/")
    assert "is not kept any more" in page.content.decode()
    assert "viewer-page" not in page.content.decode()
    assert client.get(f"/matches/{old}/embed/").status_code == 200
    assert client.get(f"/matches/{old}/replay").status_code == 404
    assert client.get(f"/matches/{old}/replay.json").status_code == 404


def test_an_archive_takes_no_reruns_and_notifies_nobody(contest: Contest, versions: list[BotVersion]) -> None:
    match = play(contest, *versions[:2])
    archive(contest)
    with pytest.raises(InputError, match="This contest is over"):
        match_rerun(match=Match.objects.get(pk=match.pk))
    notification_create(kind=PROBATION, bot=versions[0].bot, occasion="once")
    assert not Notification.objects.exists()
