"""The compose file: all that it names exists, services get only what they need, and its worker isolates bots."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from tempfile import gettempdir
from typing import Any

import pytest
import yaml

from deploy.broker import CONFIGURATION, broker_running
from deploy.processes import CELERY
from deploy.settings import BROKER_MEMORY_MIB, ROOT

FILE = ROOT / "deploy" / "compose.yaml"
SITE = ("web", "manage", "beat", "prepare")
SECRETS = {"SECRET_KEY", "DATABASE_PASSWORD", "BROKER_PASSWORD", "PLAYER_PASSWORD", "METRICS_TOKEN"}
ATTEMPTS = 3
"""How often the self-test may be repeated on a machine that other tests keep busy."""


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(FILE.read_text())
    return loaded


@pytest.fixture(scope="module")
def new_env() -> dict[str, str]:
    """Return the variables that deploy/new_env.sh prints."""
    shown = subprocess.run([ROOT / "deploy/new_env.sh", "arena.example"], capture_output=True, text=True, check=True)
    lines = [line for line in shown.stdout.splitlines() if not line.startswith("#")]
    return dict(line.split("=", 1) for line in lines)


def filled(text: str, values: dict[str, str]) -> str:
    """Replace variables as compose does: ``${NAME}``, ``${NAME:-default}``, ``${NAME:?words}``."""
    return re.sub(
        r"\$\{(\w+)(?::-([^}]*)|:\?[^}]*)?\}", lambda found: values.get(found[1]) or found[2] or "", str(text)
    )


def environment(service: dict[str, Any], values: dict[str, str]) -> dict[str, str]:
    return {name: filled(value, values) for name, value in service.get("environment", {}).items()}


def test_every_variable_is_generated_or_has_a_default(compose: dict[str, Any], new_env: dict[str, str]) -> None:
    for name, rest in re.findall(r"(?<!\$)\$\{(\w+)(:-|:\?|)", FILE.read_text()):
        assert name in new_env or rest == ":-", name
    assert len({new_env[name] for name in SECRETS}) == len(SECRETS)
    assert all(len(new_env[name]) >= 50 for name in SECRETS)


def test_each_environment_name_is_one_that_our_code_reads(compose: dict[str, Any]) -> None:
    code = "".join(
        path.read_text()
        for folder in ("arena", "jobs", "wire", "workers", "deploy")
        for path in ROOT.glob(f"{folder}/**/*.py")
    )
    for name in {name for part in (*SITE, "worker", "users") for name in compose["services"][part]["environment"]}:
        others = name == "REMAP_SIGTERM" or name.startswith("AWS_")  # Celery's, and boto3's
        assert f'"{name}"' in code or others, name


def test_services_depend_on_existing_services_and_volumes(compose: dict[str, Any]) -> None:
    services = compose["services"]
    for name, service in services.items():
        awaited = service.get("depends_on", [])
        assert set(awaited) <= set(services), name
        for other, wait in awaited.items() if isinstance(awaited, dict) else ():
            assert wait["condition"] != "service_healthy" or "healthcheck" in services[other], (name, other)
        assert set(service.get("networks", [])) <= set(compose["networks"]), name
        volumes = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert {volume for volume in volumes if not volume.startswith(("/", "."))} <= set(compose["volumes"]), name
        if build := service.get("build"):
            dockerfile = FILE.parent / build["context"] / build["dockerfile"]
            assert re.search(rf"^FROM \S+ AS {build['target']}$", dockerfile.read_text(), re.MULTILINE), name


QUEUES = {"manage": "report,manage", "worker": "play,try,build", "tables": "table"}
"""The queues of each service that is a Celery worker."""


def test_commands_are_those_of_an_arena_on_one_machine(compose: dict[str, Any]) -> None:
    argv = {name: shlex.split(compose["services"][name]["command"]) for name in QUEUES}
    for name, words in argv.items():
        assert set(CELERY) <= set(words)
        assert words[words.index("-Q") + 1] == QUEUES[name]


@pytest.mark.parametrize("name", ["web", "manage", "beat", "worker", "tables"])
def test_programs_print_their_help(compose: dict[str, Any], name: str, new_env: dict[str, str]) -> None:
    """With --help appended, each command checks that its module and options exist."""
    argv = shlex.split(filled(compose["services"][name]["command"], {**new_env, "PROCESSES": "1", "TABLES": "8"}))
    env = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", **environment(compose["services"][name], new_env)}
    shown = subprocess.run(
        [sys.executable, *argv[1:], "--help"], cwd=ROOT, env=env, capture_output=True, text=True, check=True
    )
    for option in (word for word in argv if word.startswith("--")):
        assert option.partition("=")[0] in shown.stdout, option


def test_production_settings_accept_the_environment_of_the_site(
    compose: dict[str, Any], new_env: dict[str, str]
) -> None:
    env = {"PATH": os.environ["PATH"], **environment(compose["services"]["web"], new_env)}
    subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"], cwd=ROOT, env=env, check=True
    )


def test_a_worker_has_only_its_own_secret_and_no_database(compose: dict[str, Any], new_env: dict[str, str]) -> None:
    worker = compose["services"]["worker"]
    values = " ".join(environment(worker, new_env).values())
    assert {name for name in SECRETS if new_env[name] in values} == {"PLAYER_PASSWORD"}
    assert worker["networks"] == ["jobs"]
    assert compose["services"]["database"]["networks"] == ["data"]
    assert compose["networks"]["jobs"]["internal"]
    assert "data" not in {volume.partition(":")[0] for volume in worker["volumes"]}
    assert "container_name" not in worker, "or it could not be scaled"


def test_services_reach_what_they_need(compose: dict[str, Any], new_env: dict[str, str]) -> None:
    """Workers use the name of the service, and the public name, though their network does not reach the internet."""
    services = compose["services"]
    assert [name for name, service in services.items() if "ports" in service] == ["proxy"]
    # The site sends mails that a user waits for, the managing worker sends notifications. Docker publishes ports only
    # through a network that reaches the internet (moby issue 36174).
    for name in ("web", "manage", "proxy"):
        assert any(not (compose["networks"][each] or {}).get("internal") for each in services[name]["networks"]), name
    assert "jobs" in services["web"]["networks"]
    aliases = [filled(alias, new_env) for alias in services["proxy"]["networks"]["jobs"]["aliases"]]
    assert aliases == [new_env["ARENA_HOST"]]


def test_the_access_list_keeps_users_added_later(
    compose: dict[str, Any], new_env: dict[str, str], tmp_path: Path
) -> None:
    users = compose["services"]["users"]
    argv = [sys.executable, *shlex.split(users["command"])[1:-1], str(tmp_path / "users.acl")]
    env = {"PATH": os.environ["PATH"], **environment(users, new_env)}
    (tmp_path / "users.acl").write_text(
        "user site on nopass ~* &* +@all\nuser host-north on #" + "a" * 64 + " ~play*\n"
    )
    for _ in range(2):
        subprocess.run(argv, cwd=ROOT, env=env, check=True)
    lines = (tmp_path / "users.acl").read_text().splitlines()
    assert [line.split()[1] for line in lines] == ["default", "site", "player", "host-north"]
    assert "nopass" not in "".join(lines)


def test_the_broker_has_the_limits_of_an_arena_on_one_machine(compose: dict[str, Any]) -> None:
    """So has the configuration that the guide gives for Debian's Redis, whose default allows messages of 512 MiB."""
    written = CONFIGURATION.format(port=0, folder="", memory_mib=BROKER_MEMORY_MIB)
    wanted = dict(line.split(maxsplit=1) for line in written.splitlines() if not line.startswith("#"))
    argv = shlex.split(filled(compose["services"]["broker"]["command"], {}))
    limits = ("proto-max-bulk-len", "maxmemory", "maxmemory-policy", "maxmemory-clients")
    for name in ("appendonly", "appendfsync", "save", *limits):
        assert argv[argv.index(f"--{name}") + 1] == wanted[name].strip('"'), name
    guide = (ROOT / "docs" / "run" / "README.md").read_text()
    for name in ("appendonly", *limits):
        assert f"'{name} {wanted[name]}'" in guide


def test_a_broker_on_one_machine_keeps_users_added_later(tmp_path: Path) -> None:
    import redis

    passwords = {"site_password": "s", "player_password": "p"}
    with broker_running(tmp_path, **passwords) as running:
        site = redis.Redis.from_url(running.site_url)
        site.execute_command("ACL", "SETUSER", "host-north", "on", ">secret", "+ping")
        site.execute_command("ACL", "SAVE")
    with broker_running(tmp_path, **passwords) as again:
        url = again.player_url.replace("player:p@", "host-north:secret@")
        assert redis.Redis.from_url(url).ping()


@pytest.mark.engine
def test_the_selftest_passes_in_the_workers_container(
    compose: dict[str, Any], engine: str, bubblewrap: str, tmp_path: Path
) -> None:
    """The container has the rights and settings of the compose file, and the files of this machine."""
    env = {**os.environ, "DOCKER_HOST": engine}
    empty_tar = bytes(10_240)
    subprocess.run(["docker", "import", "-", "banzuke-empty"], input=empty_tar, env=env, check=True)
    worker = compose["services"]["worker"]
    options = ["--pid", worker["pid"], "--cgroupns", worker["cgroup"], "--cap-drop", "ALL", "--network", "none"]
    options += [word for right in worker["cap_add"] for word in ("--cap-add", right)]
    options += [word for option in worker["security_opt"] for word in ("--security-opt", option)]
    options += ["--volume", worker["volumes"][0], "--tmpfs", gettempdir(), "--workdir", str(ROOT)]
    machine = {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", str(ROOT), sys.base_prefix, sys.prefix}
    options += [word for path in machine if Path(path).exists() for word in ("--volume", f"{path}:{path}:ro")]
    argv = ["docker", "run", "--rm", *options, "banzuke-empty", sys.executable, "-m", "sandbox", "selftest"]
    for _ in range(ATTEMPTS):
        done = subprocess.run([*argv, "--backend", "bubblewrap"], env=env, capture_output=True, text=True)
        if "overloaded" not in done.stdout + done.stderr:
            break
    assert "The bubblewrap sandbox passes all its checks." in done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize(("chosen", "release"), [("", "trixie"), ("bookworm", "bookworm")])
def test_the_images_name_their_debian_in_one_place(
    compose: dict[str, Any], tmp_path: Path, chosen: str, release: str
) -> None:
    images = ROOT / "deploy/images"
    lines = [line for file in images.iterdir() for line in file.read_text().splitlines() if not line.startswith("#")]
    assert [line for line in lines if re.search("trixie|bookworm", line)] == ["ARG DEBIAN=trixie"]
    builds = [service["build"] for service in compose["services"].values() if "build" in service]
    assert {tuple(build["args"]) for build in builds} == {("DEBIAN",)}, "arena.env may choose another"
    docker = tmp_path / "docker"
    docker.write_text('#!/bin/sh\necho "$@"\n')
    docker.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "DEBIAN": chosen}
    told = subprocess.run([images / "build.sh"], env=env, capture_output=True, text=True, check=True).stdout
    assert f"pull --quiet debian:{release}-slim" in told
    assert f"build --quiet --build-arg DEBIAN={release} " in told


def test_the_image_builds_with_production_settings(tmp_path: Path) -> None:
    """The variables that the Dockerfile sets suffice to collect static files; otherwise no image can be built."""
    recipe = (ROOT / "deploy/images/arena.Dockerfile").read_text().replace("\\\n", " ")
    words = shlex.split(next(line for line in recipe.splitlines() if "collectstatic" in line).removeprefix("RUN "))
    command = words.index("python")
    env = {"PATH": os.environ["PATH"], **dict(word.split("=", 1) for word in words[:command])}
    argv = [sys.executable, *words[command + 1 : words.index("&&")], "--dry-run"]
    subprocess.run(argv, cwd=ROOT, env={**env, "DATA": str(tmp_path)}, check=True)


def test_the_image_is_readable_with_any_umask(tmp_path: Path) -> None:
    recipe = (ROOT / "deploy/images/arena.Dockerfile").read_text().replace("\\\n", " ")
    steps = next(line for line in recipe.splitlines() if "collectstatic" in line).split("&&")
    (tmp_path / "core").mkdir(mode=0o700)
    (tmp_path / "core" / "board.py").touch(mode=0o600)
    subprocess.run(shlex.split(next(step for step in steps if "chmod" in step)), cwd=tmp_path, check=True)
    assert (tmp_path / "core").stat().st_mode & 0o777 == 0o755
    assert (tmp_path / "core" / "board.py").stat().st_mode & 0o777 == 0o644


def test_commands_of_the_guide_name_existing_services(compose: dict[str, Any], new_env: dict[str, str]) -> None:
    """Administrators who restore a backup copy these commands, so names and paths in them must be right."""
    guide = "".join((ROOT / "docs" / "run" / name).read_text() for name in ("install.md", "backups.md"))
    named = re.findall(r"arena (?:exec|run)(?: -\S+)* (\w+)", guide)
    assert set(named) == {"web", "database"}
    database = environment(compose["services"]["database"], new_env)
    assert f"pg_dump -U {database['POSTGRES_USER']} --format=custom {database['POSTGRES_DB']}" in guide
    data = environment(compose["services"]["web"], new_env)["DATA"]
    for packs_or_opens in ("exec -T web tar", "run --rm --no-deps -T web tar"):
        assert f"arena {packs_or_opens} -C {data} " in guide
