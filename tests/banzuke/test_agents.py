"""The tools for coding agents: what they send, and what the page says of them. A real arena: tests/deploy."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from banzuke import agents
from banzuke.text import UserError
from deploy.settings import ROOT
from tests.banzuke.conftest import Refusal

PAGE = (ROOT / "docs" / "play" / "agents.md").read_text()


def test_the_page_has_all_tools() -> None:
    names = [function.__name__ for function in (*agents.READING, *agents.ACTING)]
    assert sorted(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == sorted(names)
    assert f"waits for {agents.WAIT_SECONDS} seconds at most" in PAGE


@pytest.mark.parametrize("path", ["../secret.py", "{top}/secret.py", "bot", "bot/link.py", "away", "nothing/../../x"])
def test_only_files_below_the_folder_are_sent(path: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: an agent is talked into submitting other files of the user."""
    here = tmp_path / "here"
    (here / "bot").mkdir(parents=True)
    (tmp_path / "secret.py").write_text("the user's")
    (tmp_path / "other").mkdir()
    (here / "bot" / "link.py").symlink_to(tmp_path / "secret.py")
    (here / "away").symlink_to(tmp_path / "other")
    monkeypatch.chdir(here)
    with pytest.raises(UserError, match="does not lie below"):
        agents._inside(path.format(top=tmp_path))
    (here / "bot" / "link.py").unlink()
    assert agents._inside("bot") == here / "bot"


def test_without_the_extra_the_sentence_names_it(refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server", None)
    assert refusal("mcp") == "banzuke mcp needs one more package: pip install 'banzuke[mcp]'\n"
