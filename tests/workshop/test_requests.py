"""Requests to the workshop: who may send them, what is read of them, and the sentences of refusals."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from common.errors import InputError, StoreAway
from contests.models import Contest, Member
from jobs.files.storage import REPLAYS, file_store
from ladder.models import BotVersion
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.visitors import signed_in
from tests.workshop.makers import FILES, make_try, report_of
from wire.turnlog import LoggedTurn, pack
from workshop.models import Draft, Try
from workshop.services.tries import TRIES
from workshop.views.bodies import (
    BODY_BYTES_MAX,
    DraftBody,
    FilesBody,
    SubmitBody,
    TryBody,
    body_read,
    key_read,
)

pytestmark = pytest.mark.django_db
JSON = "application/json"
POSTS = ("draft", "try_begin", "submit")
OF_A_TRY = ("try", "try_live", "try_replay", "try_turns")


def read(data: bytes | dict[str, Any], kind: type[FilesBody] = FilesBody, user: User | None = None) -> Any:
    """Return what is read of the body of a request."""
    content = data if isinstance(data, bytes) else json.dumps(data).encode()
    request = RequestFactory().post("/", content, content_type=JSON)
    request.user = user or AnonymousUser()
    return body_read(request, kind)


def posted(client: Client, name: str, place: str = "games/kakomimasu", **fields: Any) -> Any:
    """Send files to a url of the workshop of a contest."""
    body = {"language": "python", "files": FILES, **fields}
    if name == "submit":
        body |= {"name": "Hana"}
    return client.post(reverse(f"workshop:{name}", args=[place]), body, content_type=JSON)


def stored() -> int:
    """Return how many drafts, tries and versions there are."""
    return Draft.objects.count() + Try.objects.count() + BotVersion.objects.count()


def ended(owner: User, **fields: Any) -> Try:
    tried = make_try(owner)
    TRIES.record(report=report_of(tried, **fields))
    tried.refresh_from_db()
    return tried


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"no JSON",
        b"[]",
        b"null",
        b'{"language": "python"}',
        b'{"language": "python", "files": {"main.py": 1}}',
        b'{"language": 1, "files": {}}',
        b'{"language": "python", "files": {}, "reader": "1"}',
        b'{"language": "python", "files": {}, "more": 1}',
        b'{"language": "python", "files": {"a": "\xff"}}',
        b"[" * 100_000,
        b'{"language": "python", "files": {}, "reader": 1e400}',
    ],
    ids=range(12),
)
def test_what_is_no_such_body_is_refused_in_one_sentence(body: bytes) -> None:
    with pytest.raises(InputError) as error:
        read(body)
    assert str(error.value) == "This request cannot be read. Please load the page again."


def test_a_body_is_read_up_to_its_limit() -> None:
    frame = len(json.dumps({"language": "", "files": {"a": ""}}))
    text = "x" * (BODY_BYTES_MAX - frame)
    assert read({"language": "", "files": {"a": text}}).files == {"a": text}
    with pytest.raises(InputError, match=r"The files are too large\. Please upload an archive instead\."):
        read({"language": "", "files": {"a": text + "x"}})


@pytest.mark.parametrize(
    ("fields", "is_read"),
    [
        ({}, True),
        ({"revision": 2**31 - 2, "page": "0123-ab"}, True),
        ({"revision": 3.0}, True),
        ({"revision": 3.5}, False),
        ({"revision": -1}, False),
        ({"revision": 2**31 - 1}, False),
        ({"page": "f" * 36}, True),
        ({"page": "f" * 37}, False),
        ({"page": "xyz"}, False),
        ({"name": "Hana"}, False),
    ],
)
def test_what_a_draft_says_of_its_page(fields: dict[str, Any], is_read: bool) -> None:
    body = {"language": "python", "files": FILES, **fields}
    if is_read:
        assert read(body, DraftBody).revision == fields.get("revision", 0)
    else:
        with pytest.raises(InputError, match="cannot be read"):
            read(body, DraftBody)


def test_whole_numbers_may_be_written_as_browsers_do() -> None:
    body = {"language": "", "files": {}, "seat": 1.0, "seed": 7.0, "played": {"try": 3.0, "turn": 2.0}}
    found = read(body, TryBody)
    assert (found.seat, found.seed, found.played.tried, found.played.match, found.played.turn) == (1, 7, 3, None, 2)
    for wrong in ({"seat": "1"}, {"seed": True}, {"played": {"turn": None}}, {"played": {"tried": 1, "turn": 1}}):
        with pytest.raises(InputError, match="cannot be read"):
            read({**body, **wrong}, TryBody)
    with pytest.raises(InputError, match="cannot be read"):
        read({"language": "", "files": {}}, SubmitBody)


@pytest.mark.parametrize(
    ("value", "key"), [(None, 0), (-1, 0), (0, 0), (7, 7), (2**63 - 1, 2**63 - 1), (2**63, 0), (10**30, 0)]
)
def test_a_key_that_no_row_has_is_0(value: int | None, key: int) -> None:
    assert key_read(value) == key


def test_a_page_of_another_user_changes_nothing(alice: User) -> None:
    bob = make_user("bob")
    body = {"language": "python", "files": FILES, "reader": alice.pk}
    assert read(body, user=alice).reader == alice.pk
    for user in (bob, None):
        with pytest.raises(InputError, match=r"but this page is another user's\. Nothing was changed\."):
            read(body, user=user)
    client = signed_in(bob)
    for name in POSTS:
        answer = posted(client, name, reader=alice.pk)
        assert (answer.status_code, "You are signed in as bob now" in answer.json()["error"]) == (400, True)
    assert stored() == 0


@pytest.mark.parametrize("name", POSTS)
def test_guests_are_asked_to_sign_in_and_only_posts_are_taken(client: Client, alices: Client, name: str) -> None:
    url = reverse(f"workshop:{name}", args=["games/kakomimasu"])
    answer = posted(client, name)
    assert (answer.status_code, answer["Location"]) == (302, f"/accounts/login/?next={url}")
    assert alices.get(url).status_code == 405
    assert stored() == 0


@pytest.mark.parametrize("name", POSTS)
def test_a_forged_request_is_refused(alice: User, name: str) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert posted(client, name).status_code == 403
    assert stored() == 0


@pytest.mark.parametrize("name", POSTS)
def test_a_private_contest_is_there_for_its_members_alone(alice: User, name: str) -> None:
    spring = make_contest()
    client = signed_in(alice)
    assert posted(client, name, spring.place).status_code == 404
    assert client.get(reverse("workshop:workshop", args=[spring])).status_code == 404
    Member.objects.create(contest=spring, user=alice)
    assert posted(client, name, spring.place).status_code in (200, 201)
    page = client.get(reverse("workshop:workshop", args=[spring]))
    assert (page.status_code, page["X-Robots-Tag"]) == (200, "noindex")
    for place in ("contests/unknown", "games/unknown", "contests/kakomimasu"):
        assert posted(client, name, place).status_code == 404


@pytest.mark.parametrize("state", [Contest.State.PAUSED, Contest.State.FROZEN, Contest.State.ARCHIVED])
def test_where_no_matches_are_made_nothing_is_tried_and_drafts_are_kept(alice: User, state: str) -> None:
    over = {"frozen_at": timezone.now() - timedelta(hours=1), "final_stage": Contest.FinalStage.SIGNED}
    contest = make_contest(state=state, visibility="public", **({} if state == Contest.State.PAUSED else over))
    client = signed_in(alice)
    answer = posted(client, "try_begin", contest.place)
    assert (answer.status_code, "No " in answer.json()["error"] or "no " in answer.json()["error"]) == (400, True)
    assert posted(client, "draft", contest.place).json() == {"revision": 1}
    is_taken = state == Contest.State.PAUSED
    assert posted(client, "submit", contest.place).status_code == (201 if is_taken else 400)


def test_the_second_of_two_tries_at_once_is_a_conflict(alices: Client) -> None:
    assert posted(alices, "try_begin").status_code == 201
    answer = posted(alices, "try_begin")
    assert answer.status_code == 409
    assert answer.json() == {"error": "Your last try has not ended. Please wait for its result."}
    assert Try.objects.count() == 1


def test_a_newer_draft_is_a_conflict_that_names_its_revision(alices: Client) -> None:
    assert posted(alices, "draft", page="a").json() == {"revision": 1}
    answer = posted(alices, "draft", page="b", files={"main.py": "other"})
    assert (answer.status_code, answer.json()["revision"]) == (409, 1)
    assert "changed in another tab or browser meanwhile" in answer.json()["error"]


@pytest.mark.parametrize(("name", "action"), [("draft", "draft"), ("try_begin", "try"), ("submit", "upload")])
def test_too_many_requests_are_answered_by_429(alices: Client, settings: Settings, name: str, action: str) -> None:
    settings.ACCOUNT_RATE_LIMITS = {action: "1/h/user"}
    cache.clear()
    assert posted(alices, name).status_code in (200, 201)
    assert posted(alices, name, files={"main.py": "other"}).status_code == 429
    cache.clear()


@pytest.mark.django_db(transaction=True)  # events are read in a thread of its own
@pytest.mark.parametrize("name", OF_A_TRY)
def test_only_the_author_learns_of_a_try(alice: User, client: Client, name: str) -> None:
    tried = ended(alice)
    url = reverse(f"workshop:{name}", args=[tried.pk])
    assert signed_in(make_user("bob")).get(url).status_code == 404
    assert signed_in(make_user("chief", is_staff=True)).get(url).status_code == 404
    assert client.get(url).status_code in (302, 404)
    author = signed_in(alice)
    assert author.get(url).status_code == 200
    assert author.post(url).status_code == 405
    missing = author.get(reverse(f"workshop:{name}", args=[tried.pk + 1]))
    assert missing.status_code == 404


def test_a_played_try_is_told_as_json(alice: User) -> None:
    tried = ended(alice)
    told = signed_in(alice).get(reverse("workshop:try", args=[tried.pk])).json()
    assert (told["id"], told["state"], told["place"], told["seconds"]) == (tried.pk, "finished", None, None)
    assert (told["turns"], told["scores"], told["cpu_ms_total"]) == (tried.turns, [5.0, 4.0], [1.0, 1.0])
    assert (told["log"], told["marks"], told["turn"], told["verdict"]) == ("all well", [], None, "")


def test_its_replay_and_its_turns_are_served(alice: User) -> None:
    tried = ended(alice)
    author = signed_in(alice)
    records = author.get(reverse("workshop:try_replay", args=[tried.pk])).json()
    assert (records[0]["game"], len(records) - 2) == ("kakomimasu", tried.turns)
    (turn,) = author.get(reverse("workshop:try_turns", args=[tried.pk])).json()
    assert (turn["seat"], turn["turn"], turn["stderr"]) == (0, 1, "of 0")


def test_control_characters_of_a_program_reach_no_page(alice: User) -> None:
    log = pack([LoggedTurn(0, 1, "asked", "NONE", "a\x1b[2Jb", 1.0, 2.0)])
    digest = file_store(store=REPLAYS, chunks=[log], max_bytes=len(log)).digest
    tried = ended(alice, log_digest=digest, log="red: \x1b[31m")
    author = signed_in(alice)
    (turn,) = author.get(reverse("workshop:try_turns", args=[tried.pk])).json()
    told = author.get(reverse("workshop:try", args=[tried.pk])).json()
    assert "\x1b" not in turn["stderr"] + told["log"]
    assert "[2J" in turn["stderr"]


def test_a_try_that_was_not_played_has_neither_replay_nor_turns(alice: User) -> None:
    tried = make_try(alice)
    author = signed_in(alice)
    for name in ("try_replay", "try_turns"):
        assert author.get(reverse(f"workshop:{name}", args=[tried.pk])).status_code in (404, 410)
    told = author.get(reverse("workshop:try", args=[tried.pk])).json()
    assert (told["state"], told["place"], told["ranks"], told["turns"]) == ("waiting", 0, [], 0)


@pytest.mark.parametrize("name", ["try_replay", "try_turns"])
def test_a_store_that_is_away_is_said_to_be_so(alice: User, away: Callable[[], None], name: str) -> None:
    tried = ended(alice)
    away()
    answer = signed_in(alice).get(reverse(f"workshop:{name}", args=[tried.pk]))
    assert (answer.status_code, "Please try again in a few minutes." in answer.text) == (503, True)


def test_nothing_is_tried_while_the_store_is_away(alices: Client, away: Callable[[], None]) -> None:
    away()
    answer = posted(alices, "try_begin")
    assert (answer.status_code, "cannot be stored or read just now" in answer.text) == (503, True)
    assert not Try.objects.exists()
    with pytest.raises(StoreAway):
        make_try(User.objects.get(username="alice"))
