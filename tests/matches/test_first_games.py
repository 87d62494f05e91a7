"""The estimate of the wait for first games, and the box that shows it."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from jobs.models import Worker
from ladder.models import Bot, BotVersion
from matches.first_games_estimate import FIRST_GAMES, Newcomer, QueueLoad, seconds_expected
from matches.models import Match
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches import makers

ME = Newcomer(20, match_seconds=12.0)

newcomers = st.builds(Newcomer, st.integers(1, 20), st.floats(0.1, 60), st.floats(1, 2))
loads = st.builds(
    QueueLoad,
    processes=st.integers(1, 50),
    others=st.lists(newcomers, max_size=5),
    builds_ahead=st.integers(0, 20),
    waiting=st.dictionaries(
        st.sampled_from(["build", "house_build", "ladder", "requested", "house"]), st.integers(0, 9)
    ),
    build_seconds=st.floats(1, 60),
    match_seconds=st.floats(0.1, 60),
)


def test_alone_it_plays_as_fast_as_the_processes() -> None:
    assert seconds_expected(ME, QueueLoad(1, match_seconds=12.0)) == 240
    assert seconds_expected(ME, QueueLoad(2, match_seconds=12.0)) == 120
    assert seconds_expected(ME, QueueLoad(100, match_seconds=12.0)) == 60, "no more than four of its matches at once"


def test_another_newcomer_takes_half_unless_they_meet() -> None:
    assert seconds_expected(ME, QueueLoad(1, [ME], match_seconds=12.0)) == 480
    pair = Newcomer(20, match_seconds=12.0, newcomers_a_match=2.0)
    assert seconds_expected(pair, QueueLoad(1, [pair], match_seconds=12.0)) == 240


def test_a_build_comes_first() -> None:
    load = QueueLoad(2, builds_ahead=3, build_seconds=30.0, match_seconds=12.0)
    assert seconds_expected(ME, load) == 2 * 30 + 120


def test_house_builds_cost_half_of_the_processes_at_most() -> None:
    quiet = QueueLoad(4, match_seconds=12.0)
    flood = QueueLoad(4, waiting={"house_build": 1_000}, build_seconds=10_000.0, match_seconds=12.0)
    assert seconds_expected(ME, flood) == 2 * seconds_expected(ME, quiet)


@given(newcomers, loads)
def test_it_is_never_less_than_the_games_themselves(version: Newcomer, load: QueueLoad) -> None:
    expected = seconds_expected(version, load)
    at_least = version.games_left * version.match_seconds / version.newcomers_a_match / load.processes
    assert at_least * 0.999 <= expected < 1e7


@pytest.mark.django_db
class TestBox:
    """The box on the pages of a bot and a version."""

    @pytest.fixture
    def version(self) -> BotVersion:
        makers.make_version("opponent")
        return makers.make_version("mine", artifact_digest="e" * 64)

    def box(self, client: Client, version: BotVersion) -> str:
        response = client.get(reverse("matches:first_games", args=[version.pk]))
        assert response.status_code == HTTPStatus.OK
        return response.content.decode()

    def test_it_counts_what_has_been_played_and_is_rated(self, client: Client, version: BotVersion) -> None:
        opponent = BotVersion.objects.exclude(pk=version.pk).get()
        for kind in (Match.Kind.LADDER, Match.Kind.LADDER, Match.Kind.TRIAL):
            makers.finish_match(makers.make_match(version, opponent, kind=kind))
        text = self.box(client, version)
        assert "2 of the first 20 games played" in text
        assert "It has its first 20 games in about" in text

    def test_without_an_opponent_it_says_so(self, client: Client) -> None:
        assert "There is no other bot" in self.box(client, makers.make_version("alone"))

    def test_while_no_worker_takes_work_nothing_is_promised(self, client: Client, version: BotVersion) -> None:
        worker = make_worker(state=Worker.State.DRAINING)
        assert "No worker takes work just now." in self.box(client, version)
        Worker.objects.filter(pk=worker.pk).update(state=Worker.State.ACTIVE)
        assert "It has its first 20 games in about" in self.box(client, version)

    def test_too_few_for_a_table_is_said_so(self, client: Client) -> None:
        versions = [makers.make_version(name, artifact_digest=name * 64) for name in "abc"]
        versions.append(make_version(make_bot("d", versions[0].bot.owner), artifact_digest="d" * 64))
        Bot.objects.update(contest="attack25", game="attack25")
        assert "Matches of this contest have 4 bots" in self.box(client, versions[1]), "two are one owner's"
        Bot.objects.filter(name="d").update(owner=make_user("dora"))
        assert "It has its first 20 games in about" in self.box(client, versions[1])

    def test_a_version_that_is_being_built_is_shown_to_its_owner_alone(self, client: Client) -> None:
        makers.make_version("opponent")
        owner = make_user("carol")
        version = make_version(make_bot("mine", owner), state=BotVersion.State.UPLOADED, artifact_digest="")
        assert self.box(client, version).strip() == ""
        client.force_login(owner)
        assert f"You have your first {FIRST_GAMES} games in about" in self.box(client, version)

    def test_a_version_that_a_newer_one_overtakes_is_promised_nothing(self, client: Client) -> None:
        old = makers.make_version("mine", state=BotVersion.State.UPLOADED, artifact_digest="")
        newer = make_version(old.bot, state=BotVersion.State.UPLOADED, artifact_digest="")
        makers.make_version("opponent")
        client.force_login(old.bot.owner)
        assert "A newer version of this bot is built first" in self.box(client, old)
        assert "You have your first 20 games in about" in self.box(client, newer)

    def test_pages_ask_for_it(self, client: Client, version: BotVersion) -> None:
        url = reverse("matches:first_games", args=[version.pk])
        client.force_login(version.bot.owner)
        for name, pk in (("ladder:bot", version.bot_id), ("ladder:version", version.pk)):
            assert url in client.get(reverse(name, args=[pk])).content.decode()
