from __future__ import annotations

import os
import stat
from pathlib import Path
from types import SimpleNamespace

import pytest

from deploy.data import data_locked, secrets_keep, secrets_load
from deploy.processes import children
from deploy.settings import CannotStart, settings_read


def test_folder_is_private_and_locked_until_the_end(tmp_path: Path) -> None:
    data = tmp_path / "some" / "data"
    for _ in range(2):
        with data_locked(data):
            assert stat.S_IMODE(data.stat().st_mode) == 0o700
            assert (data / "arena.lock").read_text() == f"{os.getpid()}\n"
    with pytest.raises(CannotStart, match="cannot be written"), data_locked(data / "arena.lock" / "data"):
        pytest.fail("started inside a file")


def test_second_arena_is_refused_and_the_first_named(tmp_path: Path) -> None:
    refused = pytest.raises(CannotStart, match=rf"process {os.getpid()}\) already runs")
    with data_locked(tmp_path), refused, data_locked(tmp_path):
        pytest.fail("two arenas on one folder")


def test_full_disk_is_refused_with_the_free_space(tiny_disk: Path) -> None:
    with pytest.raises(CannotStart, match=r"Only [01] MiB are free"), data_locked(tiny_disk / "data"):
        pytest.fail("started on a full disk")


def test_disk_without_any_free_space_is_refused(tiny_disk: Path) -> None:
    (tiny_disk / "data").mkdir()
    with pytest.raises(OSError, match="No space"):
        (tiny_disk / "filler").write_bytes(bytes(2 * 2**20))
    with pytest.raises(CannotStart, match="free some space"), data_locked(tiny_disk / "data"):
        pytest.fail("started on a full disk")


def test_secrets_are_made_once_and_private(tmp_path: Path) -> None:
    secrets_keep(tmp_path, {"SECRET_KEY": "old", "OTHER": "a=b"})
    first = secrets_load(tmp_path)
    assert secrets_load(tmp_path) == first == first | {"SECRET_KEY": "old", "OTHER": "a=b"}
    assert len(set(first.values())) == len(first) == 4
    assert stat.S_IMODE((tmp_path / "secret.env").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        *(("PORT", port, "is no port") for port in ("0", "65536", "-1", "http", "80.5")),
        *(("MANAGERS", count, "is no number of managers") for count in ("0", "33", "-1", "two")),
        *(("BROKER_MEMORY_MIB", mib, "is no size for the broker's memory") for mib in ("63", "-1", "1gb", "64.5")),
    ],
)
def test_a_wrong_number_is_refused(name: str, value: str, sentence: str) -> None:
    with pytest.raises(CannotStart, match=sentence):
        settings_read({name: value})


def test_empty_settings_mean_the_defaults() -> None:
    settings = settings_read({"PORT": "", "DATA": "", "BROKER_MEMORY_MIB": ""})
    assert (settings.port, settings.data.name, settings.sandbox) == (8000, "data", "auto")
    assert (settings.broker_memory_mib, settings_read({"BROKER_MEMORY_MIB": "64"}).broker_memory_mib) == (512, 64)
    assert settings.url == "http://localhost:8000"


@pytest.mark.parametrize(("cores", "managers"), [(1, 1), (8, 1), (9, 2), (64, 8)])
def test_an_arena_has_as_many_managers_as_its_cores_need(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cores: int, managers: int
) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(cores)))
    settings = settings_read({"DATA": str(tmp_path)})
    assert settings.managers == managers
    broker = SimpleNamespace(site_url="", player_url="", log=tmp_path / "log")
    names = [child.name for child in children(settings, broker)]
    more = [f"manage{number}" for number in range(2, managers + 1)]
    assert [name for name in names if name.startswith("manage")] == ["manage", *more]
    assert settings_read({"MANAGERS": "3"}).managers == 3
