"""Bots and replays in a bucket of an S3 server: it stores files as a folder does, and fails as a disk does."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import boto3
import pytest
from botocore.config import Config
from django.core.exceptions import ImproperlyConfigured
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from moto.server import ThreadedMotoServer
from pytest_django import Settings
from structlog.testing import capture_logs

from arena.settings.environment import BucketFolder, Environment
from arena.settings.stores import stores
from common.errors import StoreAway
from deploy.broker import free_port
from deploy.settings import ROOT
from jobs.files.bucket import _CONFIG, BucketStorage
from jobs.files.storage import (
    ARTIFACTS,
    REPLAYS,
    StoreName,
    file_store,
    stores_free_bytes,
    stores_probe,
    stores_problem,
)
from jobs.files.transfers import download_url, upload_url
from matches.selectors.matches import ReplayUnreadable, replay_read
from tests.arena.test_settings import PRODUCTION
from tests.jobs.test_transfers import ask

DATA = os.urandom(3_000_000)
DIGEST = hashlib.sha256(DATA).hexdigest()
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": ""}


@pytest.fixture(scope="module")
def object_store() -> Iterator[str]:
    """The URL of an object store with one bucket, ``bots``."""
    server = ThreadedMotoServer(port=0)
    server.start()
    url = "http://{}:{}".format(*server.get_host_and_port())
    client = boto3.client("s3", "us-east-1", endpoint_url=url, aws_access_key_id="k", aws_secret_access_key="s")
    client.create_bucket(Bucket="bots")
    yield url
    server.stop()


def use(bucket: str, url: str, settings: Settings, patch: pytest.MonkeyPatch) -> None:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": url}.items():
        patch.setenv(name, value)
    settings.STORAGES = stores(Path(settings.DATA), BucketFolder(bucket, "arena"))


@pytest.fixture
def bucket(object_store: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stores are folders of the bucket."""
    use("bots", object_store, settings, monkeypatch)


@pytest.fixture(params=["away", "refused"])
def failing(
    request: pytest.FixtureRequest, object_store: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> str:
    """An object store that is away, or has no such bucket; the message about it."""
    if request.param == "away":
        use("bots", f"http://127.0.0.1:{free_port()}", settings, monkeypatch)
        return "the bucket cannot be used: EndpointConnectionError"
    use("others", object_store, settings, monkeypatch)
    return "the bucket answers NoSuchBucket"


def test_a_file_is_stored_under_its_sha256_however_often(bucket: None) -> None:
    for _ in range(2):
        status, body, _response = ask(upload_url(store=ARTIFACTS), "put", DATA)
        assert (status, DIGEST.encode() in body) == (200, True)
    assert storages[ARTIFACTS].listdir("") == ([], [DIGEST])
    assert not storages[REPLAYS].exists(DIGEST)


def test_a_file_can_be_read_by_its_url(bucket: None) -> None:
    file_store(store=ARTIFACTS, chunks=[DATA], max_bytes=len(DATA))
    status, body, response = ask(download_url(store=ARTIFACTS, digest=DIGEST))
    assert (status, body) == (200, DATA)
    assert response["Content-Length"] == str(len(DATA))


def test_a_missing_file_is_not_found(bucket: None) -> None:
    with capture_logs() as logs:
        status, body, _response = ask(download_url(store=ARTIFACTS, digest="0" * 64))
    assert (status, b"The file 000000000000 is not in the store any more." in body) == (404, True)
    assert [(line["event"], line["digest"]) for line in logs] == [("store_file_missing", "0" * 64)]
    with pytest.raises(ReplayUnreadable, match="no longer stored"):
        replay_read(digest="0" * 64)


def test_threads_share_a_connection(bucket: None) -> None:
    """To open a connection takes longer than most pages."""
    stored = file_store(store=REPLAYS, chunks=[b"a replay"], max_bytes=100)
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: replay_read(digest=stored.digest), range(32))) == {b"a replay"}
        assert len({id(each) for each in threads.map(lambda _: storages[REPLAYS].connection, range(32))}) == 1


def test_a_probe_leaves_nothing_behind_and_a_bucket_is_never_full(bucket: None) -> None:
    stores_probe()
    assert "probe" not in storages[REPLAYS].listdir("")[1]
    assert stores_free_bytes() == float("inf")


def test_a_failing_store_says_why_and_workers_retry(failing: str) -> None:
    """Also if the whole bucket is gone: if every file just looked missing, all matches would end."""
    status, body, _response = ask(upload_url(store=REPLAYS), "put", b"a replay")
    assert (status, failing in body.decode()) == (507, True)
    status, body, _response = ask(download_url(store=REPLAYS, digest=DIGEST))
    assert (status, f"The site cannot read files ({failing})." in body.decode()) == (503, True)
    # A HEAD request has no body: the status is the reason.
    assert stores_problem() in (failing, "the bucket answers 404")


def requests_of(store: StoreName, act: Callable[[], object]) -> list[str]:
    """Return the requests to the store that an act makes."""
    seen: list[str] = []
    events = storages[store].connection.meta.client.meta.events
    events.register("before-send.s3", lambda event_name, **_: seen.append(event_name.rsplit(".", 1)[-1]))
    act()
    return seen


def test_no_more_requests_than_needed_are_sent_to_the_store(bucket: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request takes as long as a page, and may cost money."""
    stored = file_store(store=REPLAYS, chunks=[b"asked"], max_bytes=100)
    assert requests_of(REPLAYS, lambda: replay_read(digest=stored.digest)) == ["GetObject"]
    storing = partial(file_store, store=REPLAYS, chunks=[b"asked anew"], max_bytes=100)
    assert requests_of(REPLAYS, storing) == ["PutObject"]
    assert requests_of(REPLAYS, stores_problem) == [], "it has just answered"
    monkeypatch.setattr("jobs.files.bucket.FRESH_SECONDS", 0)
    assert requests_of(REPLAYS, stores_problem) == ["HeadBucket"], "an idle bucket is tested"
    assert stores_problem() == ""


def test_a_replay_that_has_changed_is_not_shown_and_can_be_stored_again(bucket: None) -> None:
    """Browsers would cache the damaged replay for ever."""
    storages[REPLAYS].save(DIGEST, ContentFile(b"something else"))
    with pytest.raises(ReplayUnreadable, match="damaged"):
        replay_read(digest=DIGEST)
    file_store(store=REPLAYS, chunks=[DATA], max_bytes=len(DATA))
    assert replay_read(digest=DIGEST) == DATA


@pytest.fixture
def dumb_store(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[socket.socket]:
    """A store that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        monkeypatch.setattr("jobs.files.bucket._CONFIG", _CONFIG.merge(Config(read_timeout=0.2)))
        use("bots", "http://127.0.0.1:{}".format(*listener.getsockname()[1:]), settings, monkeypatch)
        yield listener


def test_only_one_thread_waits_for_a_store_that_does_not_answer(
    dumb_store: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack, or the accident: a handful of readers open replays, and no page is answered for minutes."""
    storage: Any = storages[REPLAYS]

    def ask_all() -> None:
        for act in (storage.exists, storage.open, storage.delete):
            with pytest.raises(OSError, match="the bucket cannot be used: ReadTimeoutError"):
                act(DIGEST)

    assert requests_of(REPLAYS, ask_all) == ["HeadObject"] * 2
    monkeypatch.setattr("jobs.files.bucket.FRESH_SECONDS", 0)
    assert requests_of(REPLAYS, ask_all) == ["HeadObject"] * 2 + ["GetObject"] * 2 + ["DeleteObject"] * 2


def test_a_store_that_is_back_is_used_again(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, object_store: str
) -> None:
    monkeypatch.setattr("jobs.files.bucket.FRESH_SECONDS", 0)
    port = free_port()
    use("bots", f"http://127.0.0.1:{port}", settings, monkeypatch)
    assert stores_problem() == "the bucket cannot be used: EndpointConnectionError"
    server = ThreadedMotoServer(port=port)
    server.start()
    try:
        assert stores_problem() == ""
        assert not storages[REPLAYS].exists("0" * 64)
        with pytest.raises(FileNotFoundError):
            storages[REPLAYS].open("0" * 64)
    finally:
        server.stop()


def test_an_incomplete_response_is_an_error(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    class Half(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", "100")
            self.end_headers()
            self.wfile.write(bytes(50))

    with HTTPServer(("127.0.0.1", 0), Half) as server, ThreadPoolExecutor(1) as thread:
        thread.submit(server.serve_forever)
        use("bots", f"http://127.0.0.1:{server.server_port}", settings, monkeypatch)
        try:
            with pytest.raises(StoreAway):
                replay_read(digest=DIGEST)
        finally:
            server.shutdown()


@pytest.mark.test_all
def test_an_arena_is_not_prepared_without_its_bucket(tmp_path: Path, object_store: str) -> None:
    store = {"STORE_URL": "s3://others/arena", "AWS_ENDPOINT_URL": object_store, **KEYS}
    done = subprocess.run(
        [sys.executable, "-m", "deploy.prepare"],
        cwd=ROOT,
        env=os.environ | PRODUCTION | store | {"DATA": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "cannot be stored: [Errno 121] the bucket answers NoSuchBucket. " in done.stderr
    assert "see that the store answers and has the bucket, and let the key read, write, list and delete" in done.stderr
    assert "botocore" not in done.stderr
    assert "Traceback" not in done.stderr


def test_a_url_names_a_bucket_and_a_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"s3://bots": ("bots", ""), "s3://my.bots/here/there/": ("my.bots", "here/there")}
    for url, found in named.items():
        monkeypatch.setenv("STORE_URL", url)
        assert Environment().bucket("STORE_URL") == BucketFolder(*found)
    monkeypatch.setenv("STORE_URL", "")
    assert Environment().bucket("STORE_URL") is None


@pytest.mark.parametrize("url", ["bots", "https://bots.example", "s3://", "s3://Bots", "s3://bots?x=1"])
def test_an_invalid_url_of_a_bucket_is_refused_in_a_sentence(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_URL", url)
    with pytest.raises(ImproperlyConfigured, match="write it as s3://name or s3://name/folder"):
        Environment().bucket("STORE_URL")


def test_empty_variables_count_as_not_set_for_boto3(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compose passes on variables left out as empty ones, and boto3 cannot make Amazon's URL of an empty region."""
    for name, value in {"STORE_URL": "s3://bots", "AWS_DEFAULT_REGION": "", "AWS_ENDPOINT_URL": ""}.items():
        monkeypatch.setenv(name, value)
    assert Environment().bucket("STORE_URL") == BucketFolder("bots", "")
    storage = BucketStorage(bucket_name="bots", location="artifacts")
    assert storage.connection.meta.client.meta.endpoint_url == "https://s3.amazonaws.com"


@pytest.mark.parametrize(
    ("variables", "sentence"),
    [
        ({"AWS_ENDPOINT_URL": "objects.example"}, "write it as https://objects.example"),
        ({"AWS_ENDPOINT_URL": "https://"}, "write it as https://objects.example"),
        ({"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": ""}, "belong together"),
        ({"AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "secret"}, "belong together"),
    ],
)
def test_variables_that_boto3_could_not_use_are_refused_in_a_sentence(
    variables: dict[str, str], sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"STORE_URL": "s3://bots", **variables}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=sentence):
        Environment().bucket("STORE_URL")
