"""What the page of the workshop opens: the kit, the draft, an old version, a match to play on from."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles.finders import find
from django.test import Client
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from jobs.models import WorkingLanguage
from ladder.services.uploads import version_create
from matches.models import Result
from tests.ladder.makers import an_upload, make_user, zip_of
from tests.matches.makers import finish_match, make_match, make_version, store_replay
from tests.matches.viewing import enter, part
from tests.own import OWN
from tests.visitors import signed_in
from wire.turnlog import LoggedTurn, pack
from workshop.services.drafts import TEXT_BYTES_MAX, draft_save

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/workshop/games/kakomimasu/"
PAGE_BYTES_MAX = 450_000


def page_of(client: Client, query: str = "") -> tuple[dict[str, Any], str]:
    """Return the context that the page hands to its scripts, and its text."""
    text = client.get(f"{PAGE}?{query}").text
    found = re.search('<script id="viewer-page" type="application/json">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])["workshop"], text


def test_a_guest_begins_with_the_kit_and_the_easiest_bot(client: Client) -> None:
    rival = make_version("Rival")
    told, text = page_of(client)
    assert (told["language"], next(iter(told["files"])), told["files"]) == ("python", "main.py", told["kit"])
    assert not {"README.md", "banzuke.toml"} & told["files"].keys()
    assert f'<option value="{rival.pk}" selected>Rival' in text


def test_a_draft_goes_before_the_kit_in_its_language_alone(alice: User) -> None:
    contest = make_version("Rival").bot.contest
    for position, (name, entry) in enumerate((("python", "main.py"), ("cpp", "main.cpp"), ("go", "main.go"))):
        row = {"title": name, "version": "1", "entries": [entry], "suffixes": [], "position": position}
        WorkingLanguage.objects.create(name=name, **row)
    draft_save(owner=alice, contest=contest, language="cpp", files={"a.h": "", "main.cpp": "int main() {}"})
    client = signed_in(alice)
    assert list(page_of(client)[0]["files"]) == ["main.cpp", "a.h"]
    assert page_of(client, "language=python")[0]["is_kit"]
    assert page_of(client, "language=go")[0]["files"] == {"main.go": ""}


def test_an_own_version_is_opened_and_anothers_is_not(alice: User) -> None:
    files = {"main.py": "print(1)\n", "book.bin": b"\xff\x00"}
    upload = an_upload(zip_of(files), "bot.zip")
    version = version_create(owner=alice, contest="kakomimasu", name="Moat", upload=upload, language="python")
    told, text = page_of(signed_in(alice), f"version={version.pk}")
    assert (told["files"], told["keeps_draft"]) == ({"main.py": "print(1)\n"}, False)
    assert "Files that are no text are left out: book.bin." in text
    told, _ = page_of(signed_in(make_user("bob")), f"version={version.pk}")
    assert told["is_kit"]


def test_a_version_that_no_editor_holds_gives_way_to_the_draft(alice: User) -> None:
    upload = an_upload(zip_of({"main.py": "pass", "book.txt": "x" * (TEXT_BYTES_MAX + 1)}), "bot.zip")
    version = version_create(owner=alice, contest="kakomimasu", name="Moat", upload=upload, language="python")
    told, text = page_of(signed_in(alice), f"version={version.pk}")
    assert (told["is_kit"], told["keeps_draft"]) == (True, True)
    assert "larger than 512 KiB together. Please upload an archive instead." in text


def test_the_page_is_small(client: Client) -> None:
    """The page, what it loads and the guide that it fetches, all compressed as they are served."""
    make_version("Rival")
    answers = [client.get(url, headers={"Accept-Encoding": "gzip"}) for url in (PAGE, "/games/kakomimasu/guide/")]
    assert [answer.headers["Content-Encoding"] for answer in answers] == ["gzip"] * 2
    text = gzip.decompress(answers[0].content).decode()
    loaded = {find(name) for name in re.findall(r'(?:href|src)="/static/([^"]+)"', text)}
    static = sum(len(gzip.compress(Path(path).read_bytes())) for path in loaded if path)
    assert sum(len(answer.content) for answer in answers) + static < PAGE_BYTES_MAX


@pytest.mark.parametrize("game", OWN)
def test_every_game_has_a_workshop(client: Client, game: str) -> None:
    answer = client.get(f"/workshop/games/{game}/")
    assert '"main.py"' in answer.text


@pytest.mark.browser
def test_a_match_leads_to_the_workshop_at_the_turn_that_is_shown(
    page: Page, alice: User, live_server: LiveServer
) -> None:
    mine, other = make_version("Moat", "alice"), make_version("Keep", "bob")
    match = finish_match(make_match(other, mine))
    log = pack([LoggedTurn(1, 7, "asked", "NONE", "", 1.0, 2.0)])
    Result.objects.filter(match=match).update(log_digest=store_replay(log))
    enter(page, alice, live_server)
    page.goto(f"/matches/{match.pk}/#t=7")
    expect(part(page, "turn")).to_have_text("Turn 7 of 30")
    page.get_by_role("link", name="Play on from the turn that is shown, with changed code for B").click()
    expect(page.get_by_text("Tries go on from turn 7 of match")).to_be_visible()
    expect(page.get_by_label("Against")).to_have_value(str(other.pk))
    expect(page.get_by_label("Seat")).to_have_value("1")
    assert page_of(signed_in(alice), "match=99&turn=7")[0]["played"] is None
