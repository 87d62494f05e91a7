"""Download, verification and caching of artifacts; uploads."""

from __future__ import annotations

import hashlib
import os
import socket
import subprocess
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from core.tars import BadTar
from sandbox.api import PlatformFault
from tests.certificates import certificate, server_context
from tests.core.test_tars import FORGED
from tests.serving import serving
from tests.workers.conftest import FileSite
from wire.admission import Admission
from workers import artifacts
from workers.artifacts import AUTHORITIES, WHOLE_TRIES, ArtifactCache, Transfer
from workers.join import CannotJoin, environment, join


@pytest.fixture
def cache(tmp_path: Path) -> ArtifactCache:
    return ArtifactCache(tmp_path / "cache", Transfer())


def test_the_root_holds_the_files_whose_names_may_be_odd(site: FileSite, cache: ArtifactCache) -> None:
    digest = site.bundle({"main.py": "1", "lib/x.py": "2", "\u756a\u4ed8\n.py": "2", "\udcff.py": "3"})
    root = cache.root(f"{site.url}/{digest}", digest)
    cache.verify(digest)
    assert (root / "lib" / "x.py").read_text() == "2"
    assert [path.name for path in cache.folder.iterdir()] == [digest], "nothing else is left"


def test_a_tar_of_another_worker_or_a_changed_one_leaves_nothing(site: FileSite, cache: ArtifactCache) -> None:
    """The attack: an invited host uploads as a build a tar which other workers unpack for hours, or for ever."""
    digest = site.add(FORGED["a sparse file of another size"][0])
    with pytest.raises(BadTar):
        cache.root(f"{site.url}/{digest}", digest)
    with pytest.raises(PlatformFault, match="come changed"):
        cache.root(f"{site.url}/{digest}", "b" * 64)
    assert list(cache.folder.iterdir()) == []


def test_reading_stops_at_the_limit(site: FileSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artifacts, "ARTIFACT_BYTES_MAX", 100_000)
    digest = site.add(bytes(1_000_000))
    with pytest.raises(PlatformFault, match="larger than any bot"):
        Transfer().get(f"{site.url}/{digest}", digest, tmp_path / "file")
    assert (tmp_path / "file").stat().st_size <= 100_000


def test_a_certificate_is_blamed_only_where_there_is_one_and_an_arena_may_have_an_authority_of_its_own(
    site: FileSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "FETCH_SECONDS", 0)
    digest, address = site.add(b"a bot"), site.url.replace("http:", "https:")
    with pytest.raises(PlatformFault, match="The site could not be reached"):
        Transfer().get(f"{address}/{digest}", digest, tmp_path / "file")
    with pytest.raises(CannotJoin, match=r"cannot be reached \(SSLError\); the token is still good"):
        join(f"{address}#secret", file=tmp_path / "worker.env")
    certified = certificate(tmp_path)
    site.server.socket = server_context(certified).wrap_socket(site.server.socket, server_side=True)
    with pytest.raises(PlatformFault, match="certificate is not accepted; REQUESTS_CA_BUNDLE names who may sign"):
        Transfer().get(f"{address}/{digest}", digest, tmp_path / "file")
    with pytest.raises(CannotJoin, match="is not accepted; the token is still good"):
        join(f"{address}#secret", file=tmp_path / "worker.env")
    monkeypatch.setenv(AUTHORITIES, str(certified))
    Transfer().get(f"{address}/{digest}", digest, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"a bot"
    admission = Admission(redis_url="redis://broker", lease_seconds=10, host="north")
    assert f"{AUTHORITIES}={certified}\n" in environment(admission)


def test_an_upload_is_retried_longer_than_a_download(
    site: FileSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed download loses nothing, and another worker may succeed; a failed upload loses a played match."""
    monkeypatch.setattr(artifacts, "PAUSES_SECONDS", (0, 0.02))
    monkeypatch.setattr(artifacts, "FETCH_SECONDS", 0.2)
    digest = site.add(b"a bot")
    site.failures = [503] * 12
    with pytest.raises(PlatformFault, match="503"):
        Transfer().get(f"{site.url}/{digest}", digest, tmp_path / "file")
    site.failures = [503] * 12
    assert Transfer().put(f"{site.url}/put", b"replay") in site.files


@pytest.mark.parametrize(("restart_seconds", "level"), [(60, "info"), (0, "warning")])
def test_a_wait_for_the_site_is_a_warning_only_if_it_is_longer_than_a_start(
    site: FileSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, restart_seconds: int, level: str
) -> None:
    """Players are ready before the site when an arena starts."""
    monkeypatch.setattr(artifacts, "RESTART_SECONDS", restart_seconds)
    monkeypatch.setattr(artifacts, "PAUSES_SECONDS", (0,))
    digest = site.add(b"a bot")
    site.failures = [503, 502]
    with capture_logs() as lines:
        Transfer().get(f"{site.url}/{digest}", digest, tmp_path / "file")
    assert [(line["event"], line["log_level"]) for line in lines] == [("site_awaited", level)] * 2
    assert "503" in lines[0]["reason"]


def test_a_site_that_takes_connections_and_answers_nothing_is_given_up_in_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each try lasts a minute at such a site: 36 tries delayed a finished match for 36 minutes."""
    monkeypatch.setattr(artifacts, "_TIMEOUT_SECONDS", (5, 0.1))
    monkeypatch.setattr(artifacts, "PAUSES_SECONDS", (0,))
    monkeypatch.setattr(artifacts, "FETCH_SECONDS", 0.3)
    monkeypatch.setattr(artifacts, "STORE_SECONDS", 0.3)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        begun = time.monotonic()
        with pytest.raises(PlatformFault, match="could not be reached"):
            Transfer().put(f"{address}/put", b"replay")
        with pytest.raises(PlatformFault, match="could not be reached"):
            Transfer().get(f"{address}/x", "b" * 64, tmp_path / "file")
        assert time.monotonic() - begun < 5


def test_a_file_that_breaks_off_in_the_middle_is_asked_for_again(site: FileSite, tmp_path: Path) -> None:
    digest = site.add(b"a bot" * 100_000)
    site.cuts = WHOLE_TRIES - 1
    Transfer().get(f"{site.url}/{digest}", digest, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == site.files[digest]
    site.cuts = WHOLE_TRIES - 1
    assert Transfer().put(f"{site.url}/put", b"replay") in site.files
    site.cuts = WHOLE_TRIES
    with pytest.raises(PlatformFault, match="could not be reached"):
        Transfer().get(f"{site.url}/{digest}", digest, tmp_path / "file")


def test_what_is_large_may_take_longer_to_send_than_to_connect(site: FileSite, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker with a slow network could upload nothing that was larger than the kernel's send buffer."""
    monkeypatch.setattr(artifacts, "_TIMEOUT_SECONDS", (0.5, 20))
    monkeypatch.setattr(artifacts, "STORE_SECONDS", 0)
    large = bytes(16 << 20)
    site.pause_seconds = 0.08
    assert Transfer().put(f"{site.url}/put", large) in site.files


class Elsewhere(BaseHTTPRequestHandler):
    """Redirects every request to another URL."""

    place = ""

    def do_GET(self) -> None:
        self.send_response(302)
        self.send_header("Location", self.place)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Log nothing."""


def test_a_redirect_to_another_host_is_not_followed(
    site: FileSite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = site.add(b"inner")
    with serving(ThreadingHTTPServer(("127.0.0.1", 0), Elsewhere)) as elsewhere:
        monkeypatch.setattr(Elsewhere, "place", f"{site.url.replace('127.0.0.1', 'localhost')}/{digest}")
        with pytest.raises(PlatformFault, match="refused a transfer \\(302\\)"):
            Transfer().get(f"{elsewhere}/bot", digest, tmp_path / "file")
        assert not site.requests
        monkeypatch.setattr(Elsewhere, "place", f"{site.url}/{digest}")
        Transfer().get(f"{elsewhere}/bot", digest, tmp_path / "file")
    assert (tmp_path / "file").read_bytes() == b"inner"


def test_an_upload_fails_if_the_site_answers_another_digest(site: FileSite) -> None:
    assert Transfer().put(f"{site.url}/put", b"replay") == hashlib.sha256(b"replay").hexdigest()
    site.add = lambda data: "c" * 64  # type: ignore[method-assign]
    with pytest.raises(PlatformFault, match="arrived changed"):
        Transfer().put(f"{site.url}/put", b"replay")


def test_a_second_process_uses_what_the_first_has_unpacked_meanwhile(
    site: FileSite, cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two processes of a machine play the first matches of a bot at once, and neither match fails."""
    digest, get = site.bundle({"main.py": "1"}), Transfer.get

    def late(transfer: Transfer, url: str, digest: str, target: Path) -> None:
        monkeypatch.undo()
        ArtifactCache(cache.folder, transfer).root(url, digest)
        get(transfer, url, digest, target)

    monkeypatch.setattr(Transfer, "get", late)
    root = cache.root(f"{site.url}/{digest}", digest)
    assert (root / "main.py").read_text() == "1"
    assert [path.name for path in cache.folder.iterdir()] == [digest]


@pytest.mark.parametrize("gone", ["lib/x.py", "lib", ".", "../listing"])
def test_a_bot_that_lacks_files_is_fetched_again(site: FileSite, cache: ArtifactCache, gone: str) -> None:
    """Programs that clean up caches delete old files one by one."""
    digest = site.bundle({"main.py": "1", "lib/x.py": "2"})
    root = cache.root(f"{site.url}/{digest}", digest)
    subprocess.run(["rm", "-r", (root / gone).resolve()], check=True)
    with pytest.raises(PlatformFault, match="have gone from this worker's cache"):
        cache.verify(digest)
    cache.root(f"{site.url}/{digest}", digest)
    cache.verify(digest)
    assert (root / "lib" / "x.py").read_text() == "2"
    (root / "main.py").write_text("")  # it was cut short
    cache.root(f"{site.url}/{digest}", digest)
    assert (root / "main.py").read_text() == "1"


def test_no_proxy_of_the_machine_comes_between(
    site: FileSite, cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "FETCH_SECONDS", 0)
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    digest = site.bundle({"main.py": "1"})
    assert cache.root(f"{site.url}/{digest}", digest).is_dir()


def test_only_old_artifacts_beyond_the_limit_are_deleted(
    site: FileSite, cache: ArtifactCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(artifacts, "KEPT_MAX", 1)
    digests = [site.bundle({"main.py": str(number)}) for number in range(3)]
    for digest in digests[:2]:
        cache.root(f"{site.url}/{digest}", digest)
    leftover = cache.folder / "workspace-of-a-killed-worker"
    leftover.mkdir()
    long_ago = time.time() - 2 * artifacts.TABLE_SECONDS_MAX
    for path in (cache.folder / digests[0], cache.folder / digests[1], leftover):
        os.utime(path, (long_ago, long_ago))
    cache.root(f"{site.url}/{digests[1]}", digests[1])
    cache.root(f"{site.url}/{digests[2]}", digests[2])
    assert {path.name for path in cache.folder.iterdir()} == set(digests[1:]), "the second has just been used"
