"""The README is right: its bot plays, and its commands exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()


def _blocks(language: str) -> list[str]:
    return [code for tongue, code in re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL) if tongue == language]


LINES_MAX = 120


class TestReadme:
    def test_it_is_short(self) -> None:
        assert len(README.splitlines()) <= LINES_MAX, "Move what not every reader needs to a page of docs/."

    def test_its_bot_has_ten_lines_and_plays_at_home(self, tmp_path: Path) -> None:
        (bot,) = _blocks("python")
        assert len([line for line in bot.splitlines() if line]) == 10
        (tmp_path / "main.py").write_text(bot)
        commands = next(block for block in _blocks("") if "-m banzuke play" in block).strip().splitlines()
        for command in commands:
            words = [sys.executable if word == ".venv/bin/python" else word for word in shlex.split(command)]
            ended = subprocess.run(
                words,
                cwd=tmp_path,
                env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
                capture_output=True,
                text=True,
            )
            assert ended.returncode == 0, ended.stderr
            assert "fault" not in ended.stdout

    def test_its_targets_are_in_the_makefile(self) -> None:
        makefile = (ROOT / "Makefile").read_text()
        for target in set(re.findall(r"\bmake (run|test)\b", README)):
            assert re.search(rf"^{target}:", makefile, re.MULTILINE)
