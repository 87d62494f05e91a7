"""The three settings modules, each in a process of its own."""

from __future__ import annotations

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from django.db import connection
from psycopg_pool.base import AttemptWithBackoff

from arena.settings.base import DATABASE_POOL

pytestmark = pytest.mark.test_all

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "DJANGO_SETTINGS_MODULE": "arena.settings.production",
    "SECRET_KEY": secrets.token_urlsafe(60),
    "DATABASE_URL": "postgres://nobody:nothing@127.0.0.1:1/nowhere",
    "REDIS_URL": "redis://127.0.0.1:1",
    "ALLOWED_HOSTS": "banzuke.example",
}


def manage(*arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return python("manage.py", *arguments, environment=environment)


def python(*arguments: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    clean = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/")}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, env=clean | environment, capture_output=True, text=True, check=False)


def settings_tell(names: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Print settings without starting the site, in a third of the time."""
    code = f"from django.conf import settings as s; print({names})"
    return python("-c", code, environment=environment)


@pytest.fixture
def embedded(tmp_path: Path) -> dict[str, str]:
    """The environment of an arena on one machine, with a secret in its data folder."""
    (tmp_path / "secret.env").write_text(f"SECRET_KEY={secrets.token_urlsafe(60)}\n")
    return {"DJANGO_SETTINGS_MODULE": "arena.settings.embedded", "DATA": str(tmp_path)}


def test_production_passes_djangos_deployment_checks() -> None:
    done = manage("check", "--deploy", "--fail-level", "WARNING", environment=PRODUCTION)
    assert done.returncode == 0, done.stderr
    assert "0 silenced" in done.stdout


@pytest.mark.parametrize("name", ["SECRET_KEY", "DATABASE_URL", "REDIS_URL", "ALLOWED_HOSTS"])
def test_production_has_no_default_for_what_matters(name: str) -> None:
    done = manage("check", environment=PRODUCTION | {name: ""})
    assert done.returncode == 1
    assert done.stderr == f"{name} is not set; docs/run/settings.md says what it is for.\n"


def test_a_url_with_half_a_bracket_is_refused_in_a_sentence() -> None:
    done = manage("check", environment=PRODUCTION | {"BANZUKE_URL": "http://[2001:db8::1:8000"})
    assert "BANZUKE_URL is no URL of a site; write it as https://arena.example." in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("seconds", ["x", "0", "-5", "nan", "3600"])
def test_a_lease_that_no_match_outlives_is_refused_in_a_sentence(seconds: str) -> None:
    done = manage("check", environment=PRODUCTION | {"LEASE_SECONDS": seconds})
    assert done.returncode == 1
    assert done.stderr.startswith("LEASE_SECONDS is no number from 1 to 120")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"OIDC_URL": "https://login.example"}, "OIDC_URL, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET belong together"),
        ({"OIDC_URL": "http://login.example"}, "OIDC_URL is no URL of a provider; write it as https://login.example"),
        ({"OIDC_URL": "https://[login"}, "OIDC_URL is no URL; write it as https://login.example."),
        ({"GITHUB_CLIENT_ID": "banzuke"}, "GITHUB_CLIENT_ID and GITHUB_CLIENT_SECRET belong together"),
    ],
)
def test_half_a_provider_is_refused_in_a_sentence(given: dict[str, str], said: str) -> None:
    whole = {"OIDC_CLIENT_ID": "banzuke", "OIDC_CLIENT_SECRET": "secret"} if "belong" not in said else {}
    done = manage("check", environment=PRODUCTION | given | whole)
    assert done.stderr.startswith(said)
    assert done.stderr.count("\n") == 1


def test_a_provider_is_named_by_its_host_and_known_by_its_issuer() -> None:
    given = {"OIDC_CLIENT_ID": "banzuke", "OIDC_CLIENT_SECRET": "secret"}
    given["OIDC_URL"] = "https://login.example/realms/club/.well-known/openid-configuration"
    done = settings_tell("(s.SIGN_IN_OPENID['url'], s.SIGN_IN_OPENID['name'])", PRODUCTION | given)
    assert done.stdout == "('https://login.example/realms/club', 'login.example')\n"


def test_a_typing_mistake_does_not_switch_two_factor_authentication_off() -> None:
    done = manage("check", environment=PRODUCTION | {"ADMIN_MFA_REQUIRED": "ture"})
    assert done.returncode == 1
    assert done.stderr == "ADMIN_MFA_REQUIRED is neither true nor false.\n"


def test_a_peer_that_vanishes_is_given_up_within_a_minute() -> None:
    """A client gives up its database, and the database its client: neither notices that the network has failed."""
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    code = """
import socket
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW idle_in_transaction_session_timeout")
    print(cursor.fetchone()[0])
line = socket.socket(fileno=connection.connection.fileno())
alive = [line.getsockopt(socket.IPPROTO_TCP, getattr(socket, f"TCP_KEEP{name}")) for name in ("IDLE", "INTVL", "CNT")]
print(alive[0] + alive[1] * alive[2], line.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT))
line.detach()
"""
    done = manage("shell", "-v0", "-c", code, environment=PRODUCTION | {"DATABASE_URL": os.environ["DATABASE_URL"]})
    assert done.stdout == "1min\n15 15000\n", done.stderr


@contextmanager
def database_of(name: str, options: str) -> Iterator[str]:
    """Create one more database in the tests' PostgreSQL; yield its URL."""
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    url = os.environ["DATABASE_URL"]
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name} TEMPLATE template0 {options}")
        try:
            yield f"{url.rpartition('/')[0]}/{name}"
        finally:
            server.execute(f"DROP DATABASE {name} (FORCE)")


def test_a_database_whose_encoding_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    """PostgreSQL creates one so on a machine without a locale: Japanese text is an error there."""
    with database_of("ascii", "ENCODING 'SQL_ASCII' LOCALE 'C'") as url:
        done = python("-m", "deploy.prepare", environment=PRODUCTION | {"DATABASE_URL": url, "DATA": str(tmp_path)})
        with psycopg.connect(url) as there:
            assert there.execute("SELECT to_regclass('django_migrations')").fetchone() == (None,)
    assert done.returncode == 1
    assert done.stderr.startswith("The database keeps its text as SQL_ASCII, and must as UTF8.")


def test_a_database_that_writes_dates_in_german_format_is_read() -> None:
    code = (
        "from django.db import connection as c; k = c.cursor(); k.execute('SELECT now()'); print(k.fetchone()[0].year)"
    )
    with database_of("german", "") as url:
        with psycopg.connect(url) as there:
            there.execute("ALTER DATABASE german SET datestyle = 'German'")
        done = manage("shell", "-v0", "-c", code, environment=PRODUCTION | {"DATABASE_URL": url})
    assert done.stdout.strip().isdecimal(), done.stderr[-500:]


def test_a_pool_tries_a_database_that_comes_back_within_seconds() -> None:
    """By default a pool doubles its wait each time: after an outage of minutes it waits for minutes more."""
    attempt, now = AttemptWithBackoff(timeout=DATABASE_POOL["reconnect_timeout"]), 0.0
    waits = []
    while not attempt.time_to_give_up(now):  # then the next thread that needs a connection tries at once
        attempt.update_delay(now)
        waits.append(attempt.delay)
        now += attempt.delay
    assert max(waits) < DATABASE_POOL["timeout"]


def test_production_sends_mails_from_its_host_and_allows_the_host_that_workers_use() -> None:
    names = "s.DEFAULT_FROM_EMAIL, s.EMAIL_TIMEOUT, *s.ALLOWED_HOSTS"
    done = settings_tell(names, PRODUCTION | {"BANZUKE_URL": "http://10.0.0.1:8000"})
    assert done.stdout == "banzuke@banzuke.example 10 banzuke.example 10.0.0.1\n", done.stderr
    done = settings_tell(names, PRODUCTION | {"BANZUKE_URL": "http://[2001:DB8::1]:8000"})
    assert done.stdout.endswith(" banzuke.example [2001:db8::1]\n"), done.stderr
    done = settings_tell(names, PRODUCTION | {"EMAIL_FROM": "Arena <no-reply@mail.example>"})
    assert done.stdout.startswith("Arena <no-reply@mail.example> 10 ")


def test_mails_name_the_first_allowed_host_unless_public_url_is_set() -> None:
    hosts = {"ALLOWED_HOSTS": ".banzuke.example,web"}
    assert settings_tell("s.PUBLIC_URL", PRODUCTION | hosts).stdout == "https://banzuke.example\n"
    public_url = {"PUBLIC_URL": "https://banzuke.example:8443"}
    assert settings_tell("s.PUBLIC_URL", PRODUCTION | hosts | public_url).stdout == "https://banzuke.example:8443\n"


def test_production_counts_in_the_broker_and_goes_on_without_it() -> None:
    code = "from django.core.cache import cache; cache.set('a', 1); print(cache.get('a'))"
    done = manage("shell", "-v0", "-c", code, environment=PRODUCTION)
    assert done.stdout == "1\n", done.stderr
    assert "shared_cache_away" in done.stderr


def test_own_settings_are_written_as_the_guide_says(tmp_path: Path) -> None:
    guide = (ROOT / "docs" / "run" / "settings.md").read_text()
    (block,) = re.findall(r"^```python\n(.*?)^```", guide, re.MULTILINE | re.DOTALL)
    (tmp_path / "our_settings.py").write_text(block)
    own = {"DJANGO_SETTINGS_MODULE": "our_settings", "PYTHONPATH": str(tmp_path)}
    done = settings_tell("s.ACCOUNT_RATE_LIMITS['signup'], s.USER_ACTIVE_BOTS_MAX", PRODUCTION | own)
    assert done.stdout == "200/h/ip 3\n", done.stderr


def test_production_logs_json() -> None:
    code = "import structlog; structlog.get_logger('a').info('match_finished', match=7)"
    done = manage("shell", "-v0", "-c", code, environment=PRODUCTION)
    assert '"event": "match_finished"' in done.stderr
    assert '"match": 7' in done.stderr


def test_a_command_without_its_database_ends_in_a_sentence(tmp_path: Path, embedded: dict[str, str]) -> None:
    (tmp_path / "db.sqlite3").mkdir()
    done = manage("workers", "list", environment=embedded)
    assert done.returncode == 1
    assert done.stderr.startswith("The database cannot be used: unable to open database file.")
    assert "Traceback" not in done.stderr


@pytest.mark.test_all
def test_embedded_keeps_everything_in_its_data_folder(tmp_path: Path, embedded: dict[str, str]) -> None:
    code = """
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import connection
with connection.cursor() as cursor:
    for pragma in ("journal_mode", "synchronous"):
        print(cursor.execute(f"PRAGMA {pragma}").fetchone()[0])
print(storages["artifacts"].save("a" * 64, ContentFile(b"x")), storages["replays"].save("b" * 64, ContentFile(b"y")))
"""
    assert manage("migrate", "-v0", environment=embedded).returncode == 0
    done = manage("shell", "-v0", "-c", code, environment=embedded)
    assert done.stdout.split() == ["wal", "1", "a" * 64, "b" * 64], done.stderr
    assert (tmp_path / "db.sqlite3").exists()
    assert (tmp_path / "artifacts" / ("a" * 64)).read_bytes() == b"x"
    assert (tmp_path / "replays" / ("b" * 64)).read_bytes() == b"y"


def test_an_embedded_arena_writes_nothing_into_its_checkout(tmp_path: Path, embedded: dict[str, str]) -> None:
    """Another user may own the checkout, and two arenas of one checkout would write the same static files."""
    assert settings_tell("s.STATIC_ROOT", embedded).stdout.strip() == str(tmp_path / "static")


def test_commands_beside_a_running_arena_know_its_broker_and_url(tmp_path: Path, embedded: dict[str, str]) -> None:
    stored = {
        "SECRET_KEY": secrets.token_urlsafe(60),
        "REDIS_URL": "redis://stored:1",
        "BANZUKE_URL": "http://stored:9000",
    }
    (tmp_path / "secret.env").write_text("".join(f"{name}={value}\n" for name, value in stored.items()))
    names = "s.REDIS_URL, s.BANZUKE_URL"
    assert settings_tell(names, embedded).stdout == "redis://stored:1 http://stored:9000\n"
    own = {**embedded, "REDIS_URL": "redis://own:1"}
    assert settings_tell(names, own).stdout == "redis://own:1 http://stored:9000\n"


def test_a_game_may_give_its_bots_other_limits() -> None:
    code = "from contests.selectors.contests import limits_installed as of; print(of(game='puyo'), of(game='attack25'))"
    done = manage("shell", "-v0", "-c", code, environment=PRODUCTION | {"BOT_LIMITS": '{"puyo": {"memory_mib": 512}}'})
    assert "BotLimits(memory_mib=512, pids_max=64" in done.stdout
    assert "BotLimits(memory_mib=256, pids_max=64" in done.stdout


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"GAMES": "chess"}, "GAMES names chess, but there is no such game"),
        ({}, "Bots and replays cannot be stored: [Errno 17] File exists:"),
    ],
)
def test_prepare_stops_at_invalid_settings_and_where_no_file_can_be_stored(
    tmp_path: Path, embedded: dict[str, str], changed: dict[str, str], sentence: str
) -> None:
    (tmp_path / "replays").write_text("a file where a folder must be")
    argv = [sys.executable, "-m", "deploy.prepare"]
    environment = os.environ | embedded | changed
    done = subprocess.run(argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.startswith(sentence)
    assert not (tmp_path / "db.sqlite3").exists()


def test_without_a_secret_commands_say_what_to_do(tmp_path: Path) -> None:
    embedded = {"DJANGO_SETTINGS_MODULE": "arena.settings.embedded", "DATA": str(tmp_path), "SECRET_KEY": ""}
    done = manage("workers", "list", environment=embedded)
    sentence = f"There is no secret in {tmp_path / 'secret.env'} yet. Please start the arena with `make run`.\n"
    assert (done.returncode, done.stderr) == (1, sentence)
