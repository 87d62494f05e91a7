"""Uploads and versions by the API: progress, rejections, private tests, re-runs."""

from __future__ import annotations

import pytest
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from core.message import said, stored
from jobs.models import WorkingLanguage
from ladder.models import Bot, BotVersion, Rating
from ladder.services.examining import uploads_examine
from tests.api.conftest import Arena, client_of
from tests.ladder.makers import an_upload, make_standings, make_user, zip_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def carol() -> Client:
    return client_of(make_user("carol"))


def test_a_bot_is_uploaded_and_watched(carol: Client) -> None:
    answer = carol.post("/api/v1/versions/", {"contest": "kakomimasu", "name": "Moat", "upload": an_upload()})
    assert answer.status_code == 201
    version = BotVersion.objects.get()
    assert (version.bot.name, version.bot.owner.username) == ("Moat", "carol")
    assert answer["Location"] == f"/api/v1/versions/{version.pk}/"
    seen = carol.get(answer["Location"]).json()
    assert (seen["state"], seen["is_final"], seen["number"]) == ("received", False, 1)
    assert [step["state"] for step in seen["steps"]] == ["busy", "waiting", "waiting", "waiting"]
    uploads_examine(for_seconds=10)
    seen = carol.get(answer["Location"]).json()
    assert (seen["state"], seen["is_final"]) == ("uploaded", False)
    assert [step["state"] for step in seen["steps"]] == ["done", "waiting", "waiting", "waiting"]


def test_a_name_in_another_encoding_is_refused(carol: Client) -> None:
    """A Japanese Windows console sends such names, and a bot's name cannot be changed later."""
    sent = encode_multipart(BOUNDARY, {"contest": "kakomimasu", "name": "NAME", "upload": an_upload()})
    sent = sent.replace(b"NAME", "堀".encode("cp932"))
    answer = carol.generic("POST", "/api/v1/versions/", sent, content_type=MULTIPART_CONTENT)
    assert (answer.status_code, answer.json()["type"]) == (422, "/api/#refused")
    assert "UTF-8" in answer.json()["detail"]
    assert not Bot.objects.exists()


def test_a_known_name_makes_a_new_version(arena: Arena) -> None:
    WorkingLanguage.objects.create(name="python", title="Python 3", entries=[], suffixes=[], position=0)
    upload = an_upload(zip_of({"main.py": "print('NONE')\n"}), "bot.zip")
    sent = {"contest": "kakomimasu", "name": "moat", "upload": upload, "language": "python"}
    answer = arena.client("owner").post("/api/v1/versions/", sent)
    assert (answer.json()["bot"], answer.json()["number"], answer.json()["language"]) == (arena.bot.pk, 3, "python")


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        *[({"game": "chess"}, "game"), ({"name": ""}, "name"), ({"name": "a\x00b"}, "name")],
        *[({"upload": ""}, "upload"), ({"language": "cobol"}, "language")],
    ],
)
def test_an_invalid_field_is_named(carol: Client, sent: dict[str, str], field: str) -> None:
    whole = {"contest": "kakomimasu", "name": "Moat", "upload": an_upload()}
    answer = carol.post("/api/v1/versions/", whole | sent)
    assert answer.status_code == 400
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert not Bot.objects.exists()


def test_a_rejection_comes_with_log_and_advice(arena: Arena) -> None:
    told = {"verdict": "compile error", "log": "main.c:1: error"}
    why = stored(said("The compiler refused it."))
    rejected = {"state": BotVersion.State.REJECTED, "step": "compile", "reason": why, **told}
    BotVersion.objects.filter(pk=arena.version.pk).update(**rejected)
    seen = arena.client("owner").get(arena.path("versions/{version}/")).json()
    assert {name: seen[name] for name in told} == told
    assert seen["sentence"] == "The compiler refused it."
    assert "cannot be compiled" in seen["advice"]
    assert seen["is_final"]


def test_a_version_with_a_provisional_rank_is_told_until_when(arena: Arena) -> None:
    Rating.objects.update(games=19)
    make_standings()
    seen = arena.client("owner").get(arena.path("versions/{version}/")).json()
    assert (seen["rank"], seen["provisional"]) == (1, True)
    assert seen["rank_wait"].startswith("Its rank is provisional: that ends after 20 rated matches")
    Rating.objects.update(games=20)
    make_standings()
    seen = arena.client("owner").get(arena.path("versions/{version}/")).json()
    assert (seen["rank"], seen["rank_wait"]) == (1, "")
    assert "its place is clear" in seen["match_pace"]
    Rating.objects.update(standard_error=5.0, games=200)
    seen = arena.client("owner").get(arena.path("versions/{version}/")).json()
    assert "it begins one match a day" in seen["match_pace"]


def test_a_version_that_we_failed_to_build_is_built_again(arena: Arena) -> None:
    BotVersion.objects.filter(pk=arena.version.pk).update(state=BotVersion.State.FAILED)
    answer = arena.client("owner").post(arena.path("versions/{version}/retry/"))
    assert answer.json()["state"] == "uploaded"


def test_an_account_tells_bots_and_quota(arena: Arena) -> None:
    account = arena.client("owner").get("/api/v1/account/").json()
    assert (account["username"], account["is_staff"]) == ("alice", False)
    assert [bot["name"] for bot in account["bots"]] == ["Moat"]
    assert [version["number"] for version in account["bots"][0]["versions"]] == [2, 1]
    assert account["quota"]["bots"] == 1


def test_a_trial_is_begun_and_stopped(arena: Arena) -> None:
    client = arena.client("owner")
    client.post(arena.path("trials/{trial}/stop/"))
    sent = {"candidate": arena.version.pk, "reference": arena.old.pk}
    answer = client.post("/api/v1/trials/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["state"]) == (201, "running")
    assert client.post(f"{answer['Location']}stop/").json()["reason"] == "You stopped it."
    assert len(client.get("/api/v1/trials/").json()["results"]) == 2


def test_a_trial_of_somebody_elses_versions_finds_none(arena: Arena) -> None:
    sent = {"candidate": arena.version.pk, "reference": arena.old.pk}
    answer = arena.client("user").post("/api/v1/trials/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["type"]) == (404, "/api/#not-found")


def test_a_match_is_run_again_once_at_a_time(arena: Arena) -> None:
    first = arena.client("user").post(arena.path("matches/{match}/rerun/"))
    assert (first.status_code, first.json()["kind"], first.json()["original"]) == (201, "rerun", arena.match.pk)
    assert arena.client("owner").post(arena.path("matches/{match}/rerun/")).json()["id"] == first.json()["id"]
