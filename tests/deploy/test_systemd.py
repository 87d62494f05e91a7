"""The systemd units: systemd accepts them, and their command lines are those of an arena on one machine."""

from __future__ import annotations

import configparser
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from deploy.processes import CELERY
from deploy.settings import ROOT

FOLDER = ROOT / "deploy" / "systemd"
UNITS = sorted(FOLDER.glob("*.service"))


def settings_of(unit: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(unit)
    return parser["Service"]


def argv_of(unit: Path) -> list[str]:
    """Return the command line of a unit, with this machine's Python and systemd's specifiers replaced."""
    command = settings_of(unit)["ExecStart"].replace("%i", "1").replace("%H", "host").replace("${TABLES}", "8")
    return [sys.executable, *shlex.split(command)[1:]]


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Return the folder of the units that install.sh writes for this copy of the repository."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("needs systemd-analyze: apt-get install systemd")
    for unit in UNITS:
        text = (
            unit.read_text().replace("/opt/banzuke/.venv/bin/python", sys.executable).replace("/opt/banzuke", str(ROOT))
        )
        (tmp_path / unit.name).write_text(text)
    return tmp_path


@pytest.mark.parametrize("name", [unit.name for unit in UNITS])
def test_systemd_accepts_each_unit(installed: Path, name: str) -> None:
    env = {**os.environ, "SYSTEMD_UNIT_PATH": f"{installed}:/lib/systemd/system"}
    argv = ["systemd-analyze", "verify", "--recursive-errors=no", str(installed / name)]
    shown = subprocess.run(argv, env=env, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (0, "")


def test_every_part_has_a_unit() -> None:
    assert [unit.name for unit in UNITS] == [
        f"banzuke-{part}.service" for part in ("beat", "manage@", "prepare", "tables", "web", "worker@")
    ]


@pytest.mark.parametrize("unit", [unit for unit in UNITS if unit.stem != "banzuke-prepare"], ids=lambda unit: unit.stem)
def test_units_restart_after_every_end(unit: Path) -> None:
    settings = settings_of(unit)
    assert settings["Restart"] == "always"
    assert settings["NoNewPrivileges"] == "yes"
    assert ("WatchdogSec" in settings) == (unit.stem != "banzuke-web")


@pytest.mark.parametrize(
    ("name", "queues"), [("manage@", "report,manage"), ("worker@", "play,try,build"), ("tables", "table")]
)
def test_workers_are_started_as_on_one_machine(name: str, queues: str) -> None:
    argv = argv_of(FOLDER / f"banzuke-{name}.service")
    assert set(CELERY) <= set(argv)
    assert argv[argv.index("-Q") + 1] == queues


def test_a_crash_of_the_site_starts_the_server_alone() -> None:
    """Preparing took 70 of the 75 seconds for which the site was away. ``Requires=`` would bring it back."""
    web, prepare = FOLDER / "banzuke-web.service", FOLDER / "banzuke-prepare.service"
    assert "deploy.prepare" not in web.read_text()
    assert "Requires=" not in web.read_text()
    assert argv_of(prepare)[1:] == ["-m", "deploy.prepare"]
    assert settings_of(prepare)["Type"] == "oneshot"


def install(folder: Path, *parts: str, failing: str = "", known: tuple[str, ...] = ()) -> tuple[int, list[str]]:
    """Run install.sh of a copy whose units go to ``folder``; return its exit code and what it asks systemctl."""
    (folder / "deploy").mkdir()
    shutil.copytree(FOLDER, folder / "deploy/systemd")
    (folder / "units").mkdir()
    for name in known:
        (folder / "units" / name).write_text("")
    script = folder / "deploy/systemd/install.sh"
    script.write_text(script.read_text().replace("/etc/systemd/system", str(folder / "units")))
    (folder / "bin").mkdir()
    for name in ("systemctl", "id", "install"):
        ends = f'case "$*" in "{failing}") exit 3 ;; esac' if failing else ""
        (folder / "bin" / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{folder}/asked\n{ends}\n')
        (folder / "bin" / name).chmod(0o755)
    env = {"PATH": f"{folder}/bin:{os.environ['PATH']}"}
    code = subprocess.run([script, *parts], env=env, check=False).returncode
    lines = (folder / "asked").read_text().splitlines()
    return code, [line.removeprefix("systemctl ") for line in lines if line.startswith("systemctl ")]


def test_install_prepares_the_data_before_it_starts_the_site(tmp_path: Path) -> None:
    code, asked = install(tmp_path, "web", "manage@1", "manage@2", "beat", known=("banzuke-manage.service",))
    units = "banzuke-web.service banzuke-manage@1.service banzuke-manage@2.service banzuke-beat.service"
    assert (code, asked) == (
        0,
        [
            "disable --now banzuke-manage.service",
            "daemon-reload",
            f"enable {units}",
            "start banzuke-prepare.service",
            f"start {units}",
        ],
    )
    assert sorted(path.name for path in (tmp_path / "units").iterdir()) == [
        f"banzuke-{part}.service" for part in ("beat", "manage@", "prepare", "web")
    ]


def test_all_units_start_although_preparing_fails(tmp_path: Path) -> None:
    code, asked = install(tmp_path, "web", failing="start banzuke-prepare.service")
    assert (code, asked[-1]) == (3, "start banzuke-web.service")


def test_a_worker_is_installed_without_preparing(tmp_path: Path) -> None:
    code, asked = install(tmp_path, "worker@1")
    assert (code, asked[1:]) == (0, ["enable banzuke-worker@1.service", "start banzuke-worker@1.service"])


PROXY_IDLE_SECONDS = 120
"""How long Caddy keeps an idle connection to a site open, by default longer than other common proxies."""


def test_a_proxy_closes_idle_connections_before_the_site_does() -> None:
    """Otherwise a request sent at that moment is lost; a proxy may not repeat a POST and answers 502."""
    unit = argv_of(FOLDER / "banzuke-web.service")
    compose = yaml.safe_load((ROOT / "deploy" / "compose.yaml").read_text())
    for argv in (unit, shlex.split(compose["services"]["web"]["command"])):
        assert int(argv[argv.index("--timeout-keep-alive") + 1]) > PROXY_IDLE_SECONDS


@pytest.mark.parametrize(
    "script", ["deploy/join.sh", "deploy/new_env.sh", *sorted(path.relative_to(ROOT) for path in FOLDER.glob("*.sh"))]
)
def test_scripts_are_written_for_every_shell(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)
    subprocess.run(["sh", "-n", ROOT / script], check=True)


def test_a_joined_host_restarts_its_worker_without_a_token(tmp_path: Path) -> None:
    """In a copy of the repository without installed packages, with a Python that prints its arguments."""
    (tmp_path / "deploy").mkdir()
    (tmp_path / ".venv/bin").mkdir(parents=True)
    shutil.copy(ROOT / "deploy/join.sh", tmp_path / "deploy")
    functions = ("need_to_run", "install_missing", "make_venv", "say")
    (tmp_path / "deploy/bootstrap.sh").write_text("".join(f"{name}() {{ :; }}\n" for name in functions))
    (tmp_path / ".venv/bin/python").write_text('#!/bin/sh\necho "$REDIS_URL $*"\n')
    (tmp_path / ".venv/bin/python").chmod(0o755)
    argv = [tmp_path / "deploy/join.sh"]
    assert subprocess.run(argv, capture_output=True, check=False).returncode == 1, "it has not joined yet"
    (tmp_path / "worker.env").write_text("REDIS_URL='redis://north'\n")
    shown = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    assert shown.startswith("redis://north -m celery -q -A workers.app worker ")
    assert shown.count("\n") == 1


def test_the_join_command_starts_the_same_worker_as_the_unit() -> None:
    script = (ROOT / "deploy/join.sh").read_text().replace("\\\n", " ")
    line = next(line for line in script.splitlines() if line.startswith("exec ") and "workers.app" in line)
    words = shlex.split(line)[2:]
    unit = argv_of(FOLDER / "banzuke-worker@.service")[1:]
    named = {"play@%h": "NAME", "play1@host": "NAME"}
    assert [named.get(word, word) for word in words] == [named.get(word, word) for word in unit]


def test_the_command_of_the_guide_fits_the_rights_of_its_broker_user() -> None:
    """Without the three options, Celery sends messages to other workers, which the broker user ``player`` may not."""
    guide = (ROOT / "docs" / "run" / "hosts.md").read_text()
    words = shlex.split(next(line for line in guide.splitlines() if line.startswith("celery ")))
    assert {word for word in CELERY if word.startswith("--without")} <= set(words)
    assert words[words.index("-Q") + 1] == "play,try,build"


def test_install_without_arguments_prints_the_choices() -> None:
    shown = subprocess.run([FOLDER / "install.sh"], env={"PATH": "/nonexistent"}, capture_output=True, text=True)
    assert (shown.returncode, shown.stderr) == (
        1,
        "Give the parts to install, any of: web manage@1 beat worker@1 tables\n",
    )
