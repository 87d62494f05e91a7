"""An arena that cannot start prints one sentence, exits with 1 and leaves nothing running."""

from __future__ import annotations

import socket
import subprocess
from pathlib import Path

import pytest

from deploy.broker import free_port
from deploy.settings import ROOT
from tests.deploy.arena import Arena, processes_of

pytestmark = pytest.mark.arena


def refusal(arena: Arena) -> str:
    """Return the only line that a refused arena has printed."""
    assert arena.wait() == 1, arena.output
    assert len(arena.lines) == 1, arena.output
    assert processes_of(arena.data) == []
    return arena.lines[0]


def test_port_in_use(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        sentence = refusal(Arena(tmp_path / "data", port))
    assert sentence.startswith(f"Port {port} cannot be used (Address already in use); choose another one")


def test_no_sandbox(tmp_path: Path) -> None:
    nowhere = {"SANDBOX": "docker", "DOCKER_HOST": f"unix://{tmp_path}/none.sock"}
    assert "engine" in refusal(Arena(tmp_path / "data", free_port(), **nowhere)).lower()
    assert not (tmp_path / "data" / "db.sqlite3").exists()


def test_unknown_sandbox(tmp_path: Path) -> None:
    assert "SANDBOX" in refusal(Arena(tmp_path / "data", free_port(), SANDBOX="none"))


def bootstrap(commands: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-euc", f". deploy/bootstrap.sh; {commands}"], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_missing_packages_are_named_in_one_command_to_type() -> None:
    result = bootstrap("id() { echo 1000; }; need first false; need there true; need second false; install_missing")
    assert result.returncode == 1
    assert result.stderr.endswith("sudo apt-get install -y --no-install-recommends first second\n")


def test_the_numpy_of_bots_is_among_the_packages(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise ImportError\n")
    result = bootstrap(f"export PYTHONPATH={tmp_path}; id() {{ echo 1000; }}; need_to_run; install_missing")
    assert result.stderr.endswith("sudo apt-get install -y --no-install-recommends python3-numpy\n")


def test_nothing_is_installed_when_nothing_is_missing() -> None:
    result = bootstrap("need_to_run; install_missing; echo nothing to do")
    assert (result.returncode, result.stdout, result.stderr) == (0, "nothing to do\n", "")


@pytest.mark.parametrize("change", ["", "# changed\n"])
def test_requirements_are_installed_only_when_they_have_changed(tmp_path: Path, change: str) -> None:
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "python").symlink_to("/bin/true")
    (tmp_path / "requirements.txt").write_text("# one\n")
    commands = f"cd {tmp_path}; make_venv requirements.txt; printf '{change}' >>requirements.txt; make_venv {{}}"
    result = bootstrap(commands.format("requirements.txt"))
    assert result.returncode == 0, result.stderr
    assert result.stderr.count("Installing requirements.txt") == (2 if change else 1)
