"""Opening tables: who may, how many, from which match on, and what is stored of it."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from common.errors import InputError
from contests.models import Contest
from core.message import Message
from exhibitions.models import Exhibition
from exhibitions.selectors.opponents import opponent_named
from exhibitions.selectors.played import answers_taken
from exhibitions.services import opening
from exhibitions.services.opening import visitors_forget
from jobs.models import Worker
from ladder.models import BotVersion
from matches.models import Match, RemoteSeat
from matches.selectors.matches import replay_records
from matches.services.lifecycle import match_void
from tests.exhibitions.makers import finish, make_player, make_table, make_worker, table_begin
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, make_match, make_version, store_replay
from wire.jobs import RealTime

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_table_waits_with_its_seats(alice: User) -> None:
    opened = make_table(make_player(alice))
    match = opened.match
    match.refresh_from_db()
    assert (match.kind, match.queue_class, match.state) == ("exhibition", "table", "queued")
    assert match.seats.get().index == 1
    seat = match.remote_seats.get()
    assert (seat.index, seat.user, seat.visitor, seat.clock_seconds, seat.tries) == (0, alice, "", 60, 3)
    assert Exhibition.objects.get(match=match).original is None


def test_the_database_has_neither_secret_nor_address() -> None:
    """The attack: somebody reads a backup, and answers for players or learns where they are."""
    opened = make_table(make_player(visitor="192.0.2.77"))
    rows = [*RemoteSeat.objects.values(), *Match.objects.values(), *Exhibition.objects.values()]
    assert len(opened.secrets[0]) >= 40
    assert opened.secrets[0] not in str(rows)
    assert "192.0.2.77" not in str(rows)
    assert opened.secrets[0] != make_table(make_player(), bot=make_version("Other")).secrets[0]


def test_the_network_of_a_guest_is_forgotten_at_the_end() -> None:
    opened = make_table()
    assert visitors_forget() == 0
    match_void(match=opened.match, reason=Message("match-voided"))
    assert visitors_forget() == 1
    assert opened.match.remote_seats.get().visitor == ""


@pytest.mark.parametrize("is_guest", [True, False])
def test_two_tables_at_once(is_guest: bool) -> None:
    player = make_player(None if is_guest else make_user("ada"))
    first = make_table(player, bot=make_version("Beta"))
    bot = make_version("Gamma")
    make_table(player, bot=bot)
    with pytest.raises(InputError, match="2 open tables"):
        make_table(player, bot=bot)
    table_begin(first.match)
    with pytest.raises(InputError, match="2 open tables"):
        make_table(player, bot=bot)
    make_table(make_player(visitor="192.0.2.9"), bot=bot)  # somebody else
    match_void(match=first.match, reason=Message("match-voided"))
    make_table(player, bot=bot)


def test_a_thousand_tables_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attack: somebody with many networks opens tables until nobody else gets one."""
    monkeypatch.setattr(opening, "LINE_MAX", 5)
    make_worker(tables=1)
    bot = make_version("Beta")
    for number in range(6):  # one has a table, five wait
        make_table(make_player(visitor=f"192.0.2.{number}"), bot=bot)
    with pytest.raises(InputError, match="wait for a table"):
        make_table(make_player(visitor="192.0.2.99"), bot=bot)


def test_many_requests_at_once_open_two_tables(alice: User) -> None:
    if connection.vendor != "postgresql":
        pytest.skip("needs PostgreSQL: apt-get install postgresql")
    make_worker()
    bots = [make_version(f"Bot {number}") for number in range(8)]

    def one(bot: BotVersion) -> bool:
        try:
            make_table(make_player(alice), bot=bot)
        except InputError:
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(one, bots)) == 2


def test_without_a_worker_of_tables_nobody_waits_in_vain() -> None:
    make_worker(state=Worker.State.GONE)
    with pytest.raises(InputError, match="no worker of tables"):
        make_table()
    assert not Match.objects.exists()


def _state(state: str) -> Callable[[Settings], dict[str, Any]]:
    def prepare(_settings: Settings) -> dict[str, Any]:
        Contest.objects.filter(pk="kakomimasu").update(state=state)
        return {}

    return prepare


def _player(**fields: Any) -> Callable[[Settings], dict[str, Any]]:
    return lambda _settings: {"player": make_player(**fields)}


def _bot(**fields: Any) -> Callable[[Settings], dict[str, Any]]:
    return lambda _settings: {"bot": make_version("Gamma", **fields)}


def _elsewhere(_settings: Settings) -> dict[str, Any]:
    version = make_version("Gamma")
    version.bot.contest_id = "puyo"
    return {"bot": version}


def _not_played(settings: Settings) -> dict[str, Any]:
    settings.GAMES = ["puyo"]
    return {}


def _taken(turn: int = 1, **columns: Any) -> Callable[[Settings], dict[str, Any]]:
    def prepare(_settings: Settings) -> dict[str, Any]:
        match = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
        Match.objects.filter(pk=match.pk).update(**columns)
        match.refresh_from_db()
        return {"taken_over": (match, turn)}

    return prepare


REFUSED: dict[str, tuple[Callable[[Settings], dict[str, Any]], str]] = {
    "draft": (_state("draft"), "no such contest"),
    "paused": (_state("paused"), "paused"),
    "frozen": (_state("frozen"), "over"),
    "archived": (_state("archived"), "over"),
    "a game that is not played here": (_not_played, "does not play this game"),
    "a retired bot": (_bot(state=BotVersion.State.RETIRED), "no active version"),
    "a bot on probation": (_bot(state=BotVersion.State.PROBATION), "no active version"),
    "a bot of another contest": (_elsewhere, "no active version"),
    "a name that reverses the page": (_player(name="Ada\u202e"), "simple punctuation"),
    "no name": (_player(name=""), "empty"),
    "a long name": (_player(name="A" * 41), "at most 40"),
    "a clock of days": (_player(clock_seconds=100_000), "at most 3600"),
    "a clock that runs backwards": (_player(clock_seconds=-1), "at most 3600"),
    "a guest who may think for ever": (_player(clock_seconds=0), "sign in"),
    "no try": (_player(tries=0), "from 1 to 10"),
    "a thousand tries": (_player(tries=1_000), "from 1 to 10"),
    "a turn before the first": (_taken(turn=0), "has 30 turns"),
    "a turn after the last": (_taken(turn=31), "has 30 turns"),
    "a match under old rules": (_taken(rules_version="0"), "rules of the game have changed"),
    "a match that is void": (_taken(state="void"), "Nobody can take over"),
    "a hidden match": (_taken(kind="tournament", is_hidden=True), "Nobody can take over"),
    "a private test": (_taken(kind="trial"), "Nobody can take over"),
    "a match of another contest": (_taken(contest="puyo"), "Nobody can take over"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_opened(case: str, settings: Settings) -> None:
    prepare, sentence = REFUSED[case]
    wanted = prepare(settings)
    before = Match.objects.count()
    with pytest.raises(InputError, match=sentence):
        make_table(*filter(None, [wanted.pop("player", None)]), **wanted)
    assert Match.objects.count() == before


def test_somebody_takes_over_from_a_turn_on() -> None:
    original = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    opened = make_table(taken_over=(original, 3))
    assert (opened.match.seed, opened.match.options) == (original.seed, original.options)
    exhibition = Exhibition.objects.get(match=opened.match)
    assert (exhibition.original, exhibition.original_turn, len(exhibition.played)) == (original, 3, 2)


def test_a_replay_without_its_turns_is_not_taken_over() -> None:
    """The attack: a worker that was taken over has stored header and footer alone."""
    original = make_table().match
    table_begin(original)
    finish(original)
    with pytest.raises(InputError, match="Nobody can take over"):
        make_table(make_player(visitor="192.0.9.1"), bot=make_version("Zeta"), taken_over=(original, 5))


@pytest.mark.parametrize("turn", [1, 2, 30])
def test_the_turns_before_are_played_as_they_were(turn: int) -> None:
    original = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    digest, turns = original.result.replay_digest, original.result.turns
    told = {"game": original.game, "rules_version": original.rules_version, "digest": digest, "turns": turns}
    played = answers_taken(**told, turn=turn)
    records = replay_records(digest=digest)[1:turn]
    assert played == [{seat: each["answer"] for seat, each in enumerate(record["seats"])} for record in records]
    assert len(played) == turn - 1


@pytest.mark.parametrize("digest", ["damaged", "e" * 64])
def test_who_plays_on_from_a_replay_that_cannot_be_read_is_told_so(digest: str) -> None:
    original = finish_match(make_match(make_version("Delta"), make_version("Epsilon")))
    original.result.replay_digest = store_replay(b"no replay") if digest == "damaged" else digest
    original.result.save()
    with pytest.raises(InputError) as refused:
        make_table(taken_over=(original, 3))
    assert str(refused.value).endswith(".")
    assert not Exhibition.objects.exists()


def test_in_real_time_guests_need_no_clock() -> None:
    opened = make_table(make_player(clock_seconds=0), real_time=RealTime(1, 2, 1, "STAY"))
    assert Exhibition.objects.get(match=opened.match).real_time["operation_seconds"] == 2


def test_the_secret_of_a_seat_stays_out_of_urls_and_logs(
    client: Client, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """The attack: somebody reads the logs of a proxy or of the site, and plays on for others."""
    make_worker()
    version = make_version("Beta")
    answer = client.post(
        "/play/games/kakomimasu/", {"bot": version.bot_id, "seat": "0", "seats": "2", "pace": "60"}, follow=False
    )
    match = Match.objects.get(kind="exhibition")
    secret = client.session["tables"][str(match.pk)]
    table_begin(match)
    page = client.get(answer.headers["Location"])
    refused = client.post(f"/play/tables/{match.pk}/answer/", b"{", content_type="application/json")
    assert (page.status_code, refused.status_code) == (200, 400)
    told = [answer.headers["Location"], page.text, refused.text, caplog.text, *capsys.readouterr()]
    told += [str(vars(record)) for record in caplog.records]
    assert [text for text in told if secret in text] == []
    assert Client().post(f"/play/tables/{match.pk}/answer/", b"{}", content_type="text/json").status_code == 404


def test_the_database_is_not_asked_for_a_name_that_it_cannot_read(
    django_assert_num_queries: Callable[[int], Any],
) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    with django_assert_num_queries(0):
        assert opponent_named(contest=contest, name="a1\0") is None
