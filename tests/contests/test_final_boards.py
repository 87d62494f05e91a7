"""The final board of a contest is signed once, after its last match, and anybody can verify its file."""

from __future__ import annotations

import hashlib
import json
from itertools import pairwise
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.test import Client
from pytest_django import DjangoDbBlocker

from common.errors import InputError
from contests.models import Contest
from contests.services.contests import contest_transition
from core.message import said
from jobs.arena_key import arena_public_key
from jobs.files.storage import BOARDS
from ladder.models import BotVersion
from ladder.services.versions import version_disqualify, version_transition
from matches.models import BoardLock, Match
from matches.selectors.final_boards import VERIFY
from matches.services import final_boards
from matches.services.final_boards import final_board_sign, final_boards_sign
from matches.services.pairing import matches_pair
from matches.services.quarantine import match_void_and_requeue
from matches.services.ratings import ratings_refit
from matches.services.voiding import matches_voidable, rated_matches_void
from tests.at_once import while_uncommitted
from tests.contests.playing import make_contest, make_entry, play
from tests.matches.makers import finish_match

State = Contest.State
DOCS = Path(__file__).parents[2] / "docs/organise/contests.md"


def frozen(*names: str) -> list[BotVersion]:
    """Make a contest in which each bot has played the next, and freeze it."""
    contest = make_contest()
    versions = [make_entry(contest, name) for name in names or ("Alpha", "Beta")]
    for one, other in pairwise(versions):
        play(contest, one, other)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    return versions


def spring() -> Contest:
    return Contest.objects.get(pk="spring")


def signed_bytes() -> bytes:
    with storages[BOARDS].open(spring().board_digest) as file:
        return bytes(file.read())


def verify_by_the_docs(data: bytes, folder: Path) -> str:
    """Run the lines of Python that page and docs give for verifying a file, and return what they print."""
    lines = DOCS.read_text().split("### Verify")[1].split("```python\n")[1].split("```")[0]
    assert lines == VERIFY
    (folder / "final.json").write_bytes(data)
    printed: list[str] = []
    lines = lines.replace('"final.json"', repr(str(folder / "final.json")))
    exec(compile(lines, str(DOCS), "exec"), {"print": lambda *words: printed.append(" ".join(map(str, words)))})  # noqa: S102
    return "\n".join(printed)


@pytest.mark.database
@pytest.mark.django_db
def test_a_frozen_board_is_signed_and_the_file_alone_is_verified(tmp_path: Path) -> None:
    frozen("Alpha", "Beta", "Gamma")
    final_boards_sign()
    contest, data = spring(), signed_bytes()
    board = json.loads(data)
    assert hashlib.sha256(data).hexdigest() == contest.board_digest
    assert board["signature"] == contest.board_signature
    assert {row["name"] for row in board["board"]} == {"Alpha", "Beta", "Gamma"}
    assert board["matches"] == 2
    assert board["match_log"] == BoardLock.objects.get(contest="spring").rating_watermark
    printed = verify_by_the_docs(data, tmp_path)
    assert arena_public_key() in printed
    assert "Spring" in printed


@pytest.mark.django_db
def test_it_ranks_all_that_played_and_ends_with_those_that_did_not() -> None:
    contest = make_contest()
    one, other = make_entry(contest, "Alpha"), make_entry(contest, "Beta")
    late, failing = make_entry(contest, "Late"), make_entry(contest, "Failing")
    version_transition(version=failing, to=BotVersion.State.PROBATION)
    play(contest, one, other)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    rows = json.loads(signed_bytes())["board"]
    assert {row["name"] for row in rows[:2]} == {"Alpha", "Beta"}
    assert [(row["rank"], row["unranked"], row["provisional"]) for row in rows[:2]] == [
        (1, None, True),
        (2, None, True),
    ]
    reasons = {row["name"]: (row["rank"], row["unranked"]) for row in rows[2:]}
    assert reasons == {late.bot.name: (None, "no_rated_match"), "Failing": (None, "probation")}


@pytest.mark.django_db
@pytest.mark.parametrize("part", [b"Alpha", b'"matches": 1'])
def test_a_changed_file_is_not_verified(part: bytes, tmp_path: Path) -> None:
    frozen()
    final_boards_sign()
    data = signed_bytes()
    assert part in data
    changed = data.replace(part, part[:-1] + b"9")
    with pytest.raises(Exception, match=r"^$") as error:
        verify_by_the_docs(changed, tmp_path)
    assert type(error.value).__name__ == "InvalidSignature"


@pytest.mark.django_db
def test_nothing_can_be_added_behind_the_signature(tmp_path: Path) -> None:
    frozen()
    final_boards_sign()
    with pytest.raises(ValueError, match="behind the signature"):
        verify_by_the_docs(signed_bytes().replace(b'"\n}\n', b'",\n "board": []\n}\n'), tmp_path)


@pytest.mark.django_db
def test_the_board_waits_for_the_last_match() -> None:
    versions = frozen()
    last = play(spring(), *versions)
    Match.objects.filter(pk=last.pk).update(state=Match.State.QUEUED, finished_at=None)
    final_boards_sign()
    assert not spring().board_digest
    assert not final_board_sign(contest="spring")
    Match.objects.filter(pk=last.pk).update(state=Match.State.FINISHED, finished_at=last.finished_at)
    final_boards_sign()
    assert json.loads(signed_bytes())["matches"] == 2


@pytest.mark.django_db
def test_a_contest_without_bots_gets_its_board_too() -> None:
    make_contest()
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    assert json.loads(signed_bytes())["board"] == []


@pytest.mark.django_db
def test_a_board_is_signed_once_until_something_changes() -> None:
    frozen()
    final_boards_sign()
    first = spring()
    final_boards_sign()
    assert not final_board_sign(contest="spring")
    assert spring().board_signed_at == first.board_signed_at


@pytest.mark.django_db
def test_a_disqualification_signs_a_board_that_names_the_one_before(client: Client) -> None:
    alpha, _beta = frozen()
    final_boards_sign()
    before = spring().board_digest
    version_disqualify(version=alpha, reason="It is Beta under another name.")
    ratings_refit(contest="spring")  # as the timetable does every few seconds
    final_boards_sign()
    board = json.loads(signed_bytes())
    assert [row["name"] for row in board["board"]] == ["Beta"]
    assert board["replaces"] == before
    assert client.get("/contests/spring/final.json").content == signed_bytes()
    earlier = client.get(f"/contests/spring/final.json?sha256={before}").content
    assert hashlib.sha256(earlier).hexdigest() == before
    assert client.get(f"/contests/spring/final.json?sha256={'0' * 64}").status_code == 404


@pytest.mark.django_db
def test_void_matches_sign_a_new_board() -> None:
    frozen()
    final_boards_sign()
    voidable = matches_voidable(contest="spring", bot="Alpha")
    rated_matches_void(matches=voidable, contest="spring", reason="A wrong rule.", actor=None)
    final_boards_sign()
    assert json.loads(signed_bytes())["matches"] == 0


@pytest.mark.django_db
def test_a_contest_that_goes_on_has_no_final_board() -> None:
    frozen()
    final_boards_sign()
    contest_transition(contest="spring", to=State.OPEN, actor=None)
    assert (spring().board_digest, spring().board_signature, spring().board_signed_at) == ("", "", None)
    final_boards_sign()
    assert not spring().board_digest
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    final_boards_sign()
    assert json.loads(signed_bytes())["replaces"] is None


@pytest.mark.django_db
def test_archiving_waits_for_the_signature_and_ends_all_changes() -> None:
    alpha, _beta = frozen()
    with pytest.raises(InputError, match="not signed yet"):
        contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    final_boards_sign()
    contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    with pytest.raises(InputError, match="is archived"):
        version_disqualify(version=alpha, reason="Too late.")
    voidable = matches_voidable(contest="spring", bot="Alpha")
    with pytest.raises(InputError, match="is archived"):
        rated_matches_void(matches=voidable, contest="spring", reason="Too late.", actor=None)


@pytest.mark.django_db
def test_archiving_waits_for_the_signature_of_what_changed_since() -> None:
    alpha, beta = frozen()
    final_boards_sign()
    again = match_void_and_requeue(pk=Match.objects.get().pk, reason=said("A worker was at fault."))
    assert again
    with pytest.raises(InputError, match="not signed yet"):
        contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    again.attempts.all().delete()  # it was handed out, but there is no worker
    finish_match(again)
    with pytest.raises(InputError, match="not signed yet"):
        contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    final_boards_sign()
    version_disqualify(version=beta, reason="It was copied.")
    with pytest.raises(InputError, match="not signed yet"):
        contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    ratings_refit(contest="spring")
    final_boards_sign()
    contest_transition(contest="spring", to=State.ARCHIVED, actor=None)
    assert [row["name"] for row in json.loads(signed_bytes())["board"]] == [alpha.bot.name]


@pytest.mark.django_db(transaction=True)
def test_two_managers_sign_once(django_db_blocker: DjangoDbBlocker) -> None:
    frozen()
    Contest.objects.filter(pk="spring").update(final_stage=Contest.FinalStage.FITTING)
    ratings_refit(contest="spring")
    signed = []

    def sign() -> None:
        signed.append(final_board_sign(contest="spring"))

    while_uncommitted(sign, sign, django_db_blocker)
    assert sorted(signed) == [False, True]


@pytest.mark.django_db(transaction=True)
def test_a_manager_that_dies_while_it_signs_leaves_nothing_half_done(monkeypatch: pytest.MonkeyPatch) -> None:
    frozen()
    store = final_boards.file_store

    class Killed(BaseException):
        """What ends a process ends the call, and no handler of errors sees it."""

    def store_and_die(**file: object) -> None:
        store(**file)  # type: ignore[arg-type]
        raise Killed

    monkeypatch.setattr(final_boards, "file_store", store_and_die)
    with pytest.raises(Killed):
        final_boards_sign()
    assert not spring().board_digest
    left = set(storages[BOARDS].listdir("")[1])
    monkeypatch.undo()
    final_boards_sign()
    assert spring().board_digest in left  # the same board has the same bytes, so the file that was left is the one


@pytest.mark.django_db(transaction=True)
def test_no_match_is_paired_after_the_signature(django_db_blocker: DjangoDbBlocker) -> None:
    frozen()
    ratings_refit(contest="spring")
    made = while_uncommitted(
        lambda: final_board_sign(contest="spring"), lambda: matches_pair(contest="spring"), django_db_blocker
    )
    assert made == 0


@pytest.mark.django_db
def test_a_match_that_ends_after_the_freeze_counts() -> None:
    contest = make_contest()
    versions = [make_entry(contest, name) for name in ("Alpha", "Beta")]
    match = play(contest, *versions)
    match.result.delete()
    match.attempts.all().delete()
    Match.objects.filter(pk=match.pk).update(state=Match.State.RUNNING, lease_ends_at=match.created_at)
    contest_transition(contest="spring", to=State.FROZEN, actor=None)
    finish_match(match)
    final_boards_sign()
    assert json.loads(signed_bytes())["matches"] == 1
