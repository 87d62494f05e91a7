"""Signed URLs: what each allows, and what it does not."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import random
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import requests
from django.core import signing
from django.core.files.storage import storages
from django.http import HttpResponse
from django.test import AsyncClient
from pytest_django import Settings

from core.replay import INFLATED_BYTES_MAX
from jobs.files import transfers
from jobs.files.storage import ARTIFACTS, REPLAYS, StoreName, TooLarge, file_store
from jobs.files.transfers import CHUNK_BYTES, FILES_MAX, download_url, upload_url
from sandbox.api import PlatformFault
from wire.turnlog import STDERR_CHARS_MAX, TEXT_CHARS_MAX, TURNS_KEPT, LoggedTurn, pack
from workers.artifacts import Transfer

DATA = b"a bot's bytes" * 20_000
DIGEST = hashlib.sha256(DATA).hexdigest()


@pytest.fixture
def stored() -> str:
    """The digest of a stored artifact."""
    return file_store(store=ARTIFACTS, chunks=[DATA], max_bytes=len(DATA)).digest


def ask(url: str, method: str = "get", data: bytes = b"", **headers: str) -> tuple[int, bytes, HttpResponse]:
    """Send a request as the web server does, and read the whole answer."""

    async def answer() -> tuple[int, bytes, HttpResponse]:
        path = urlsplit(url).path
        options = {"headers": headers} if headers else {}
        if method == "put":
            options |= {"data": data, "content_type": "application/octet-stream"}
        response = await getattr(AsyncClient(enforce_csrf_checks=True), method)(path, **options)
        if not response.streaming:
            return response.status_code, response.content, response
        return response.status_code, b"".join([chunk async for chunk in response]), response

    return asyncio.run(answer())


def test_a_file_cannot_act_as_a_page_of_the_site(stored: str) -> None:
    status, body, response = ask(download_url(store=ARTIFACTS, digest=stored))
    assert (status, body) == (200, DATA)
    assert response["Content-Length"] == str(len(DATA))
    assert response["Content-Type"] == "application/octet-stream"
    assert response["Content-Disposition"] == "attachment"
    assert response["Content-Security-Policy"] == "default-src 'none'; sandbox"


def test_a_file_is_stored_under_its_sha256_however_often(settings: Settings) -> None:
    for _ in range(2):
        status, body, _response = ask(upload_url(store=REPLAYS), "put", b"a replay")
        digest = hashlib.sha256(b"a replay").hexdigest()
        assert status == 200
        assert f'"digest": "{digest}"'.encode() in body
    with storages[REPLAYS].open(digest) as file:
        assert file.read() == b"a replay"
    assert not storages[ARTIFACTS].exists(digest)


def test_a_store_that_cannot_be_written_says_why_without_a_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "replays").write_text("a file where a folder must be")
    monkeypatch.setattr(storages[REPLAYS], "location", str(tmp_path / "replays"))
    status, body, _response = ask(upload_url(store=REPLAYS), "put", b"a replay")
    assert status == 507
    assert b"The site cannot store files (File exists)" in body
    assert str(tmp_path).encode() not in body


def tampered(url: str) -> str:
    return url[:-1] + ("A" if url[-1] != "A" else "B")


REFUSED: dict[str, tuple[Callable[[], str], str, int, bytes]] = {
    "unknown": (lambda: "/transfer/nonsense", "get", 403, b"exactly as the job gives it"),
    "tampered": (lambda: tampered(download_url(store=ARTIFACTS, digest=DIGEST)), "get", 403, b"not one of ours"),
    "for reading": (lambda: download_url(store=ARTIFACTS, digest=DIGEST), "put", 405, b"allows GET only"),
    "for storing": (lambda: upload_url(store=REPLAYS), "get", 405, b"allows PUT only"),
    "not there": (lambda: download_url(store=ARTIFACTS, digest="0" * 64), "get", 404, b"not in the store"),
    "other verb": (lambda: upload_url(store=REPLAYS), "delete", 405, b""),
}


@pytest.mark.parametrize("case", REFUSED.values(), ids=REFUSED)
def test_a_url_allows_nothing_else(case: tuple[Callable[[], str], str, int, bytes]) -> None:
    url, method, status, words = case
    answered, body, _ = ask(url(), method)
    assert answered == status
    assert words in body


def test_a_url_expires(stored: str, monkeypatch: pytest.MonkeyPatch) -> None:
    url = download_url(store=ARTIFACTS, digest=stored)
    monkeypatch.setattr(transfers, "URL_SECONDS", -1)
    status, body, _ = ask(url)
    assert status == 410
    assert b"expired" in body


@pytest.mark.parametrize("digest", ["../../secret.env", "/etc/passwd", "..", "A" * 64, ""])
def test_only_digests_are_file_names(digest: str) -> None:
    """Even with a forged signature, or by an error of ours, only files of the store can be read."""
    token = signing.dumps({"method": "GET", "store": "artifacts", "digest": digest}, salt=transfers._SALT)
    assert ask(f"/transfer/{token}")[0] in (403, 404)


def test_a_token_of_another_purpose_is_refused() -> None:
    permit = {"method": "GET", "store": "artifacts", "digest": DIGEST}
    assert ask(f"/transfer/{signing.dumps(permit, salt='something else')}")[0] == 403


def test_a_file_that_is_too_large_is_refused(settings: Settings) -> None:
    settings.TRANSFER_MAX_BYTES, settings.REPLAY_MAX_BYTES = 2_000, 1_000
    for store, size in {ARTIFACTS: 2_000, REPLAYS: 1_000}.items():
        status, body, _ = ask(upload_url(store=store), "put", bytes(size + 1))
        assert status == 413
        assert b"at most %d bytes" % size in body
        assert ask(upload_url(store=store), "put", bytes(size))[0] == 200


def test_no_file_of_a_match_is_too_large(settings: Settings) -> None:
    """Not even the log of four bots that write random characters of two bytes."""
    assert settings.REPLAY_MAX_BYTES >= INFLATED_BYTES_MAX
    noise = "".join(random.Random(1).choices([chr(code) for code in range(0x3400, 0x9FFF)], k=2**20))  # noqa: S311
    turns = [
        LoggedTurn(0, turn, "", noise[start : start + TEXT_CHARS_MAX], noise[-start:][:STDERR_CHARS_MAX], 1.0, 1.0)
        for turn, start in enumerate(range(5_000, 5_000 * (TURNS_KEPT + 1), 5_000))
    ]
    assert 4 * len(pack(turns)) < settings.REPLAY_MAX_BYTES


@pytest.mark.parametrize("store", [ARTIFACTS, REPLAYS])
def test_a_url_stores_the_files_of_its_job_and_no_more(store: StoreName) -> None:
    """The attack: a host fills the disk with the help of a single URL."""
    url = upload_url(store=store)
    files = [b"file %d of %b" % (number, store.encode()) for number in range(FILES_MAX[store] + 1)]
    for file in files[:-1] * 2:  # a file that is sent again counts once
        assert ask(url, "put", file)[0] == 200
    status, body, _ = ask(url, "put", files[-1])
    assert (status, b"This URL has been used up" in body) == (409, True)
    assert not storages[store].exists(hashlib.sha256(files[-1]).hexdigest())
    assert ask(url, "put", files[0])[0] == 200
    assert ask(upload_url(store=store), "put", files[-1])[0] == 200, "another job's"


def test_a_worker_does_not_retry_a_used_up_url(site_url: str) -> None:
    """It is a fault of the platform, with a sentence; it does not count against a bot."""
    url = upload_url(store=ARTIFACTS)
    for number in range(FILES_MAX[ARTIFACTS]):
        Transfer().put(url, b"%d" % number)
    with pytest.raises(PlatformFault, match=r"\(409\): This URL has been used up"):
        Transfer().put(url, b"one more")


def test_reading_stops_at_the_limit() -> None:
    """A client may declare no size, or a wrong one."""
    read: list[int] = []

    def endless() -> Iterator[bytes]:
        while True:
            read.append(1)
            yield bytes(1_000)

    with pytest.raises(TooLarge):
        file_store(store=REPLAYS, chunks=endless(), max_bytes=10_000)
    assert len(read) == 11


def test_a_file_appears_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk must not leave an incomplete file under the digest of the whole one."""

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    digest = hashlib.sha256(b"half").hexdigest()
    with pytest.raises(OSError, match="No space"):
        file_store(store=REPLAYS, chunks=[b"half"], max_bytes=10)
    assert not storages[REPLAYS].exists(digest)
    assert not [name for name in storages[REPLAYS].listdir("")[1] if name.startswith(".incoming")]


def test_a_stream_without_an_end_is_cut_off(site_url: str, settings: Settings) -> None:
    """The server must not store an endless body without a declared size on its disk."""
    sent = 0

    def endless() -> Iterator[bytes]:
        nonlocal sent
        while sent < 10 * settings.TRANSFER_MAX_BYTES:
            sent += CHUNK_BYTES
            yield bytes(CHUNK_BYTES)

    with contextlib.suppress(requests.ConnectionError):
        assert requests.put(upload_url(store=REPLAYS), data=endless(), timeout=30).status_code == 413
    assert sent < 2 * settings.TRANSFER_MAX_BYTES


def test_transfers_bypass_all_middleware_and_workers_read_them(site_url: str, tmp_path: Path) -> None:
    answer = requests.put(upload_url(store=ARTIFACTS), data=DATA, timeout=30)
    assert (answer.status_code, "X-Frame-Options" in answer.headers) == (200, False)
    Transfer().get(download_url(store=ARTIFACTS, digest=DIGEST), DIGEST, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == DATA
