"""Bots and replays in a bucket of a server that speaks S3: it does what a folder does, and fails as a disk does."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import boto3
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.files.storage import storages
from django.test import Client
from moto.server import ThreadedMotoServer
from pytest_django import Settings

from deploy.broker import free_port
from deploy.settings import ROOT
from ladder.files.storage import ARTIFACTS, REPLAYS, file_store, stores_free_bytes, stores_try
from ladder.files.transfers import download_url, upload_url
from ladder.settings.environment import BucketFolder, Environment
from ladder.settings.stores import stores
from matches.selectors.matches import ReplayUnreadable, replay_read
from tests.ladder.test_settings import PRODUCTION, manage
from tests.ladder.test_transfers import ask

DATA = os.urandom(3_000_000)
DIGEST = hashlib.sha256(DATA).hexdigest()
KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_DEFAULT_REGION": ""}


@pytest.fixture(scope="module")
def object_store() -> Iterator[str]:
    """The address of an object store with one bucket, ``bots``."""
    server = ThreadedMotoServer(port=0)
    server.start()
    address = "http://{}:{}".format(*server.get_host_and_port())
    client = boto3.client("s3", "us-east-1", endpoint_url=address, aws_access_key_id="k", aws_secret_access_key="s")
    client.create_bucket(Bucket="bots")
    yield address
    server.stop()


def use(bucket: str, address: str, settings: Settings, patch: pytest.MonkeyPatch) -> None:
    for name, value in {**KEYS, "AWS_ENDPOINT_URL": address}.items():
        patch.setenv(name, value)
    settings.STORAGES = stores(Path(settings.DATA), BucketFolder(bucket, "arena"))


@pytest.fixture
def bucket(object_store: str, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both stores lie in the bucket."""
    use("bots", object_store, settings, monkeypatch)


@pytest.fixture(params=["away", "refused"])
def failing(
    request: pytest.FixtureRequest, object_store: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> str:
    """An object store that is away, or has no such bucket; what is told of it."""
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


def test_a_file_can_be_read_by_its_address(bucket: None) -> None:
    file_store(store=ARTIFACTS, chunks=[DATA], max_bytes=len(DATA))
    status, body, response = ask(download_url(store=ARTIFACTS, digest=DIGEST))
    assert (status, body) == (200, DATA)
    assert response["Content-Length"] == str(len(DATA))


def test_what_is_not_there_is_not_found(bucket: None) -> None:
    assert ask(download_url(store=ARTIFACTS, digest="0" * 64))[0] == 404
    with pytest.raises(ReplayUnreadable, match="no longer stored"):
        replay_read(digest="0" * 64)


def test_threads_share_a_connection(bucket: None) -> None:
    """To make one takes longer than most pages."""
    stored = file_store(store=REPLAYS, chunks=[b"a replay"], max_bytes=100)
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: replay_read(digest=stored.digest), range(32))) == {b"a replay"}
        assert len({id(each) for each in threads.map(lambda _: storages[REPLAYS].connection, range(32))}) == 1


def test_a_probe_leaves_nothing_behind_and_there_is_always_room(bucket: None) -> None:
    stores_try()
    assert "probe" not in storages[REPLAYS].listdir("")[1]
    assert stores_free_bytes() == float("inf")


def test_a_store_that_fails_says_why_and_workers_come_again(failing: str) -> None:
    status, body, _response = ask(upload_url(store=REPLAYS), "put", b"a replay")
    assert (status, failing in body.decode()) == (507, True)
    # Whether an object is there is asked without a body, so the answer has a number for a reason.
    status, body, _response = ask(download_url(store=REPLAYS, digest=DIGEST))
    assert (status, b"The site cannot read files (the bucket " in body) in ((503, True), (404, False))


@pytest.mark.database
@pytest.mark.django_db
def test_a_store_that_is_away_is_told_by_health_and_pages(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch, broker_url: str
) -> None:
    use("bots", f"http://127.0.0.1:{free_port()}", settings, monkeypatch)
    settings.REDIS_URL = broker_url
    assert client.get("/healthz").content == b"storage: the bucket cannot be used: EndpointConnectionError"
    with pytest.raises(ReplayUnreadable, match="try again in a few minutes"):
        replay_read(digest=DIGEST)


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
    assert "let the key read, write and delete in the bucket" in done.stderr
    assert "Traceback" not in done.stderr


def test_production_takes_the_address_of_a_bucket() -> None:
    code = "from django.core.files.storage import storages as s; a = s['artifacts']; print(a.bucket_name, a.location)"
    done = manage("shell", "-v0", "-c", code, environment=PRODUCTION | {"STORE_URL": "s3://bots/arena"})
    assert done.stdout.strip() == "bots arena/artifacts", done.stderr


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("s3://bots", BucketFolder("bots", "")),
        ("s3://bots/", BucketFolder("bots", "")),
        ("s3://my.bots/here/there/", BucketFolder("my.bots", "here/there")),
        ("", None),
    ],
)
def test_an_address_names_a_bucket_and_a_folder(
    address: str, found: BucketFolder | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("STORE_URL", address)
    assert Environment().bucket("STORE_URL") == found


@pytest.mark.parametrize("address", ["bots", "https://bots.example", "s3://", "s3://Bots", "s3://bots?x=1"])
def test_what_is_no_address_of_a_bucket_is_refused_in_a_sentence(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STORE_URL", address)
    with pytest.raises(ImproperlyConfigured, match="write it as s3://name or s3://name/folder"):
        Environment().bucket("STORE_URL")
