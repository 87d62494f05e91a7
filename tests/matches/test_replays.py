"""The urls of replays: as files, for the viewer, and of check matches."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path

import pytest
from django.core.files.storage import storages
from django.test import Client
from django.urls import reverse

from core import replay
from games.replays import verify
from matches.models import Match
from tests.matches.makers import make_match, make_records, make_version, store_replay
from wire.turnlog import LoggedTurn, pack

pytestmark = pytest.mark.django_db


def test_replay_is_served_as_stored_and_may_be_cached_for_ever(client: Client, finished: Match) -> None:
    response = client.get(reverse("matches:replay", args=[finished.pk]))
    again = client.get(reverse("matches:replay", args=[finished.pk]), headers={"If-None-Match": response["ETag"]})

    verify(response.content)
    assert response["Content-Type"] == "application/zstd"
    assert response["Content-Disposition"].startswith("attachment")
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert response["Cache-Control"] == "public, max-age=31536000, immutable"
    assert again.status_code == HTTPStatus.NOT_MODIFIED


@pytest.mark.parametrize("encoding", ["identity", "gzip"])
def test_replay_json_is_the_list_of_records(client: Client, finished: Match, encoding: str) -> None:
    url, accepted = reverse("matches:replay_json", args=[finished.pk]), {"Accept-Encoding": encoding}
    response = client.get(url, headers=accepted)
    again = client.get(url, headers={"If-None-Match": response["ETag"]})

    assert response.get("Content-Encoding", "identity") == encoding
    assert encoding == "gzip" or response.json() == make_records("Alpha", "Beta")
    assert "immutable" in response["Cache-Control"]
    assert again.status_code == HTTPStatus.NOT_MODIFIED


def test_a_replay_that_has_changed_on_the_disk_is_not_served(client: Client, finished: Match) -> None:
    """Browsers and proxies would cache the damaged file for ever under the digest of the right one."""
    finished.result.replay_digest = store_replay(b"a replay that no other test reads")
    finished.result.save()
    file = Path(storages["replays"].path(finished.result.replay_digest))
    file.unlink()
    file.write_bytes(b"another one")

    assert client.get(reverse("matches:replay", args=[finished.pk])).status_code == HTTPStatus.NOT_FOUND
    answer = client.get(reverse("matches:replay_json", args=[finished.pk]))
    assert (answer.status_code, "damaged" in answer.json()["error"]) == (HTTPStatus.NOT_FOUND, True)
    assert "Cache-Control" not in answer


def test_a_replay_that_is_lost_or_not_there_yet_is_not_found(client: Client, finished: Match) -> None:
    finished.result.replay_digest = "0" * 64
    finished.result.save()

    for match in (finished, make_match(make_version("a"), make_version("b"))):
        for name in ("replay", "replay_json"):
            assert client.get(reverse(f"matches:{name}", args=[match.pk])).status_code == HTTPStatus.NOT_FOUND
        assert client.get(reverse("matches:match", args=[match.pk])).status_code == HTTPStatus.OK


@pytest.mark.parametrize(
    "name", ["check_replay", "check_replay_file", "check_replay_json", "check_log", "check_log_json"]
)
def test_check_match_is_for_the_owner_alone(client: Client, name: str) -> None:
    digest = store_replay(replay.encode(make_records("mine", "house")))
    log_digest = store_replay(pack([LoggedTurn(0, 1, "go", "NONE", "thought", 1.0, 2.0)]))
    version = make_version("mine", check_replay_digest=digest, check_log_digest=log_digest)
    url = reverse(f"matches:{name}", args=[version.pk])

    anonymous = client.get(url)
    client.force_login(make_version("other").bot.owner)
    stranger = client.get(url)
    client.force_login(version.bot.owner)
    owner = client.get(url)

    assert anonymous.status_code == HTTPStatus.FOUND
    assert stranger.status_code == HTTPStatus.NOT_FOUND
    assert owner.status_code == HTTPStatus.OK
    assert "public" not in owner.get("Cache-Control", "")


@pytest.mark.parametrize("own", [0, 1])
def test_the_turns_of_a_check_match_are_shown_without_those_of_the_house_bot(client: Client, own: int) -> None:
    evil = "\x1b[2J</script><b>"
    turns = [LoggedTurn(seat, 1, "go", "NONE", f"{evil} thought of {seat}", 1.0, 2.0) for seat in (0, 1)]
    records = make_records(*(["mine", "house"] if own == 0 else ["house", "mine"]))
    records[0]["seats"][1 - own]["digest"] = "b" * 64
    digest = store_replay(replay.encode(records))
    version = make_version("mine", check_replay_digest=digest, check_log_digest=store_replay(pack(turns)))
    client.force_login(version.bot.owner)
    folder = f"/versions/{version.pk}/check/"

    check, log = client.get(folder).text, client.get(f"{folder}log/").text
    (turn,) = client.get(f"{folder}log.json").json()

    assert f'href="{folder}log/"' in check
    assert 'data-viewer="own"' in check
    assert f"{folder}replay.json" in check
    for text in (check, log):
        assert text.count(f'href="{folder}log.json" download="check-{version.pk}-log.json"') == 1
    assert f'href="{folder}"' in log
    assert rf"\x1b[2J&lt;/script&gt;&lt;b&gt; thought of {own}" in log
    assert f"thought of {1 - own}" not in log
    assert turn["stderr"] == rf"\x1b[2J</script><b> thought of {own}"


@pytest.mark.parametrize("log_digest", ["", "e" * 64], ids=["none", "lost"])
def test_a_check_match_without_a_log_of_turns(client: Client, log_digest: str) -> None:
    digest = store_replay(replay.encode(make_records("mine", "house")))
    version = make_version("mine", check_replay_digest=digest, check_log_digest=log_digest)
    client.force_login(version.bot.owner)
    text = client.get(reverse("matches:check_replay", args=[version.pk])).text
    assert ("log.json" in text, 'data-viewer="own"' in text) == (bool(log_digest),) * 2
    for name in ("check_log", "check_log_json"):
        assert client.get(reverse(f"matches:{name}", args=[version.pk])).status_code == HTTPStatus.NOT_FOUND
