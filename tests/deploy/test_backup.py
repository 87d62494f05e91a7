"""A backup made while an arena writes data is complete: it opens in another folder."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from deploy.backup import DATABASE, backup
from deploy.data import secrets_load
from deploy.settings import ROOT

ADD_USER = """
import sys, django
django.setup()
from accounts.models import User
from jobs.files.storage import REPLAYS, file_store
User.objects.create_user(sys.argv[1])
print(file_store(store=REPLAYS, chunks=[sys.argv[1].encode()], max_bytes=100).digest)
"""
SHOW = """
import sys, django
django.setup()
from django.core.files.storage import storages
from accounts.models import User
print(*User.objects.order_by("pk").values_list("username", flat=True), storages["replays"].open(sys.argv[1]).read())
"""


def django_in(data: Path, *argv: str) -> str:
    """Run Python with an arena's settings and return its output."""
    ours = ("DATABASE_URL", "SECRET_KEY", "REDIS_URL")
    env = {name: value for name, value in os.environ.items() if name not in ours}
    env |= {"DJANGO_SETTINGS_MODULE": "arena.settings.embedded", "DATA": str(data)}
    return subprocess.run([sys.executable, *argv], cwd=ROOT, env=env, capture_output=True, text=True, check=True).stdout


@pytest.mark.test_all
def test_a_backup_restores_the_packed_state(tmp_path: Path) -> None:
    data, kept, restored = (tmp_path / name for name in ("data", "kept", "restored"))
    for folder in (data, kept, restored):
        folder.mkdir()
    secrets_load(data)
    django_in(data, "manage.py", "migrate", "--verbosity", "0")
    digest = django_in(data, "-c", ADD_USER, "alice").strip()
    (data / "replays" / ".incoming-half").write_text("half a replay")
    file = kept / "arena.tar"
    with closing(sqlite3.connect(data / DATABASE, isolation_level=None)) as writer:
        # The site is writing at the same time; uncommitted rows belong to no backup.
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE accounts_user SET username = 'mallory'")
        backup(data, file)
        writer.execute("ROLLBACK")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert list(kept.iterdir()) == [file]
    subprocess.run(["tar", "-xf", file, "-C", restored], check=True)
    assert django_in(restored, "-c", SHOW, digest) == "alice b'alice'\n"
    assert (restored / "secret.env").read_text() == (data / "secret.env").read_text()
    assert not (restored / "replays" / ".incoming-half").exists()
    assert not (restored / "broker").exists()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Give the arena's folder and the file to make: python -m deploy.backup data arena.tar"),
        (["nowhere", "arena.tar"], "No backup was made of nowhere: unable to open database file."),
        ([".", "/nowhere/arena.tar"], "No backup was made of .: [Errno 2] No such file or directory: '/nowhere'."),
    ],
)
def test_each_refusal_of_a_backup_is_one_sentence(words: list[str], sentence: str, tmp_path: Path) -> None:
    argv = [sys.executable, "-m", "deploy.backup", *words]
    done = subprocess.run(
        argv, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (1, f"{sentence}\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.test_all
def test_postgresql_is_restored_from_a_dump(postgres: str, tmp_path: Path) -> None:
    """The commands are those of the administrators' guide; the last one collects statistics for the query planner."""
    binaries = max(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "arena.settings.test", "DATABASE_URL": f"{postgres}/postgres"}
    for argv in (["manage.py", "migrate", "--verbosity", "0"], ["-c", ADD_USER, "alice"]):
        subprocess.run([sys.executable, *argv], cwd=ROOT, env=env, check=True)
    dump = tmp_path / "banzuke.dump"
    subprocess.run([binaries / "pg_dump", "--format=custom", f"--file={dump}", f"{postgres}/postgres"], check=True)
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as server:
        server.execute("CREATE DATABASE restored")
    subprocess.run([binaries / "pg_restore", "--no-owner", f"--dbname={postgres}/restored", dump], check=True)
    subprocess.run([binaries / "psql", "-c", "ANALYZE", f"{postgres}/restored"], check=True)
    with psycopg.connect(f"{postgres}/restored") as restored:
        assert restored.execute("SELECT username FROM accounts_user").fetchall() == [("alice",)]
        assert restored.execute("SELECT reltuples FROM pg_class WHERE relname = 'accounts_user'").fetchall() == [(1,)]
