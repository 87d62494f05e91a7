"""A school has one address: its pupils watch, play at tables and try their programs all at once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack

import msgspec
import pytest
import requests
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from redis import Redis

from accounts.models import User
from arena.settings import base
from common.errors import InputError
from contests.models import Contest, Member
from exhibitions.selectors.queue import WAITING
from exhibitions.services.opening import tables_most
from matches.models import Match, RemoteSeat
from tests.exhibitions.makers import make_player, make_table, make_worker, question, table_begin, tell
from tests.ladder.makers import make_user
from tests.matches.makers import make_records, make_running, make_version
from tests.visitors import signed_in
from tests.workshop.makers import FILES
from wire.live import LINES_FIELD, live_key
from workshop.models import Try

pytestmark = pytest.mark.django_db(transaction=True)

SCHOOL = "192.0.2.7"
BROWSERS, PUPILS = 40, 30
PLAY = "/play/games/kakomimasu/"
TRY = "/workshop/games/kakomimasu/tries/"


@pytest.fixture(autouse=True)
def _limits_of_a_site(settings: Settings) -> Iterator[None]:
    """The limits of an installation, which other tests do without."""
    cache.clear()
    settings.ACCOUNT_RATE_LIMITS, settings.API_RATES = base.ACCOUNT_RATE_LIMITS, base.API_RATES
    yield
    cache.clear()


def listening(url: str, stack: ExitStack, session: str = "") -> Iterator[bytes]:
    """Listen to a stream from the school; return its lines, which must be kept: the stream ends with them."""
    headers, cookies = {"X-Forwarded-For": SCHOOL}, {"sessionid": session} if session else {}
    answer = stack.enter_context(requests.get(url, stream=True, timeout=30, headers=headers, cookies=cookies))
    lines: Iterator[bytes] = answer.iter_lines(chunk_size=1)
    return lines


def test_forty_browsers_of_one_address_watch_one_match(streams: Redis, site_url: str) -> None:
    match, records = make_running(), make_records("Alpha", "Beta")
    with ExitStack() as stack:
        browsers = [listening(f"{site_url}/matches/{match.pk}/live", stack) for _ in range(BROWSERS)]
        assert [next(lines) for lines in browsers] == [b"retry: 1000"] * BROWSERS
        lines = b"\n".join(map(msgspec.json.encode, records))
        streams.xadd(live_key(match.lease_token, host=""), {LINES_FIELD: lines})
        assert [b"event: ended" in list(lines) for lines in browsers] == [True] * BROWSERS


@pytest.mark.parametrize("of_the_school", [1, 3])
def test_guests_of_a_school_have_as_many_streams_as_it_was_given(
    streams: Redis, site_url: str, settings: Settings, of_the_school: int
) -> None:
    settings.NETWORK_LIMITS = {**settings.NETWORK_LIMITS, "listeners": 1}
    settings.TRUSTED_NETWORKS = {"192.0.2.0/28": {"listeners": of_the_school}}
    match = make_running()
    pupil = signed_in(make_user("ada"))
    with ExitStack() as stack:
        url = f"{site_url}/matches/{match.pk}/live"
        guests = [listening(url, stack) for _ in range(of_the_school + 1)]
        assert [next(lines) for lines in guests] == [b"retry: 1000"] * of_the_school + [b"event: away"]
        own = listening(url, stack, pupil.cookies["sessionid"].value)
        assert next(own) == b"retry: 1000", "an account is counted for itself"


def test_thirty_pupils_play_at_tables_and_try_their_programs(streams: Redis) -> None:
    make_worker(tables=PUPILS)
    make_version("Beta")
    pupils = [signed_in(make_user(f"pupil{number}")) for number in range(PUPILS)]
    pks = [opened(client) for client in pupils]
    assert not WAITING.exists(), "each has a table at once"
    for client, pk in zip(pupils, pks, strict=True):
        match = Match.objects.get(pk=pk)
        table_begin(match)
        seat = RemoteSeat.objects.get(match=match).index
        tell(streams, match, question(1), seat=seat)
        answer = json.dumps({"number": 1, "lines": ["STAY"]})
        url = reverse("exhibitions:table_answer", args=[pk])
        taken = client.post(url, answer, content_type="application/json", REMOTE_ADDR=SCHOOL)
        assert taken.status_code == 202, taken.content
    body = json.dumps({"language": "python", "files": FILES, "opponent": None, "seat": 0})
    tried = [client.post(TRY, body, content_type="application/json", REMOTE_ADDR=SCHOOL) for client in pupils]
    assert {answer.status_code for answer in tried} == {201}
    assert Try.objects.filter(state__in=Try.OPEN).count() == PUPILS


def opened(client: Client) -> int:
    """Open a table from the school, as the page does; return the match's key."""
    page = client.get(PLAY, REMOTE_ADDR=SCHOOL)
    chosen = {"bot": page.context["chosen"], "seats": 2, "seat": 0, "pace": 60}
    answer = client.post(PLAY, chosen, REMOTE_ADDR=SCHOOL)
    assert answer.status_code == 302, answer.text
    return int(answer.headers["Location"].strip("/").split("/")[-1])


# --- How many tables ------------------------------------------------------------------------------------------------


def test_guests_of_a_known_network_have_tables_of_their_own(settings: Settings) -> None:
    settings.TRUSTED_NETWORKS = {SCHOOL: {"tables": 3}}
    bot = make_version("Beta")
    for visitor, most in ((SCHOOL, 3), ("192.0.2.8", 2)):
        for _table in range(most):
            make_table(make_player(visitor=visitor), bot=bot)
        with pytest.raises(InputError, match=f"Guests of your network have {most} open tables"):
            make_table(make_player(visitor=visitor), bot=bot)


@pytest.mark.parametrize(("given", "is_member", "most"), [(4, True, 4), (1, True, 1), (4, False, 2), (None, True, 2)])
def test_a_contest_gives_its_participants_tables(alice: User, given: int | None, is_member: bool, most: int) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    contest.tables_each = given
    contest.save()
    if is_member:
        Member.objects.create(contest=contest, user=alice)
    assert tables_most(contest=contest, user=alice, visitor="") == most
    bot = make_version("Beta")
    for _table in range(most):
        make_table(make_player(alice), bot=bot)
    with pytest.raises(InputError, match=f"You have {most} open table"):
        make_table(make_player(alice), bot=bot)


def test_tables_of_a_generous_contest_count_elsewhere(alice: User) -> None:
    """The attack: somebody has all the tables that one contest gives, and as many in each other one."""
    contest = Contest.objects.get(pk="kakomimasu")
    Contest.objects.filter(pk=contest.pk).update(tables_each=3)
    Member.objects.create(contest=contest, user=alice)
    bot = make_version("Beta")
    for _table in range(3):
        make_table(make_player(alice), bot=bot)
    Contest.objects.filter(pk=contest.pk).update(tables_each=None)
    with pytest.raises(InputError, match="You have 2 open tables"):
        make_table(make_player(alice), bot=bot)
