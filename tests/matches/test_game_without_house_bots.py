"""The life of a game that brings no house bots: real services and a real sandbox, only the broker is left out."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.test import Client
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

import sandbox
from contests.services.contests import open_contests_ensure
from jobs import sending
from ladder.models import BotVersion, Rating
from ladder.services.builds import BUILDS
from ladder.services.housebots import housebots_load
from ladder.services.uploads import version_create
from matches.models import Match
from matches.services.match_jobs import MATCHES
from matches.services.pairing import matches_pair
from matches.services.ratings import ratings_refit
from tests.installing import games_installed
from tests.ladder.makers import an_upload, make_user
from wire.jobs import BuildJob, Message, PlayJob
from workers.artifacts import ArtifactCache, Transfer
from workers.build import version_build
from workers.play import Tools, match_play

GAME = "simple_nim"
BOT = """
input()
while True:
    heaps = list(map(int, input().split()))
    heap = heaps.index({choose}(n for n in heaps if n))
    print(heap, min(heaps[heap], {count}))
"""


GUESS = """
while True:
    input()
    print("y\\n0")
"""


class Worker:
    """Does the jobs that the site would send to the broker."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.jobs: list[Message] = []
        transfer = Transfer()
        self.tools = Tools(sandbox.backend("bubblewrap"), transfer, ArtifactCache(folder, transfer), "worker-1")
        monkeypatch.setattr(sending, "send", lambda app, task, message, **_: self.jobs.append(message))

    def work(self) -> None:
        """Do all jobs; the site sends more as they end."""
        while self.jobs:
            job = self.jobs.pop(0)
            if isinstance(job, BuildJob):
                BUILDS.record(report=version_build(job, self.tools, lambda step: None))
            elif isinstance(job, PlayJob):
                MATCHES.record(report=match_play(job, self.tools))


@pytest.fixture
def worker(
    live_server: LiveServer, settings: Settings, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, bubblewrap: str
) -> Worker:
    settings.BANZUKE_URL = live_server.url
    settings.MATCHES_IN_FLIGHT, settings.PROCESSES_ASSUMED = 4, 1
    return Worker(monkeypatch, tmp_path / "cache")


@pytest.mark.django_db(transaction=True)
def test_two_uploaded_bots_become_active_and_play_rated_matches(
    worker: Worker, settings: Settings, tmp_path: Path, client: Client
) -> None:
    settings.GAMES = [GAME]
    open_contests_ensure()
    (tmp_path / "site").mkdir()
    pages = ("/", f"/games/{GAME}/", f"/games/{GAME}/guide/", "/matches/", "/upload/")
    with games_installed(tmp_path / "site", {GAME: "tests.core.simple_toy:Nim"}):
        assert housebots_load() == []
        assert matches_pair(contest=GAME) == 0
        assert [client.get(page, follow=True).status_code for page in pages] == [200] * len(pages)
        for name, choose, count in (("alice", "max", 1), ("bob", "min", 3)):
            source = BOT.format(choose=choose, count=count).encode()
            version_create(owner=make_user(name), contest=GAME, name=f"Bot of {name}", upload=an_upload(source))
            assert matches_pair(contest=GAME) == 0, "one bot alone has nobody to play"
            worker.work()
        versions = BotVersion.objects.filter(bot__game=GAME)
        assert [*versions.values_list("state", flat=True)] == [BotVersion.State.ACTIVE] * 2
        assert matches_pair(contest=GAME) == 2, "an encounter from both seats"
        worker.work()
        assert [*Match.objects.rated().values_list("game", "state")] == [(GAME, Match.State.FINISHED)] * 2
        assert ratings_refit(contest=GAME)
        ratings = Rating.objects.filter(version__in=versions)
        assert [rating.games for rating in ratings] == [2, 2]
        assert sum(rating.rating for rating in ratings) / 2 == pytest.approx(1500, abs=1)
        pages += tuple(f"/matches/{match.pk}/" for match in Match.objects.all()[:1])
        pages += tuple(f"/bots/{version.bot_id}/" for version in versions)
        for page in pages:
            answer = client.get(page, follow=True)
            assert answer.status_code == 200, page
        assert "Bot of alice" in client.get(f"/games/{GAME}/", follow=True).content.decode()


@pytest.mark.django_db(transaction=True)
def test_the_starter_kit_of_a_stub_is_a_house_bot(worker: Worker, settings: Settings, tmp_path: Path) -> None:
    settings.GAMES = ["simple_guess"]
    open_contests_ensure()
    package = tmp_path / "site" / "guess"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("from tests.core.simple_toy import Guess\n")
    (package / "stub.txt").write_text("gameloop\n  read turn:line\n  write x\n  write 0\n")
    with games_installed(package.parent, {"simple_guess": "guess:Guess"}):
        [starter] = housebots_load()
        upload = an_upload(GUESS.encode())
        version = version_create(owner=make_user("alice"), contest="simple_guess", name="Guesser", upload=upload)
        worker.work()
        assert matches_pair(contest="simple_guess") == 2
        worker.work()
        assert ratings_refit(contest="simple_guess")
    ratings = {rating.version_id: rating for rating in Rating.objects.filter(version__in=(starter, version))}
    assert [rating.games for rating in ratings.values()] == [2, 2]
    assert ratings[starter.pk].rating == pytest.approx(600), "it fixes the scale"
