"""Fixtures of the API's tests: an arena with rows of every kind, and clients of all sorts of users."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from knox.models import AuthToken

from accounts.models import Notification, User
from core.message import said, stored
from core.replay import encode
from fleet.models import Host
from fleet.services.hosts import host_invite
from jobs.models import Worker
from ladder.models import Bot, BotVersion
from matches.models import Match, Trial
from tests.fleet.makers import make_worker
from tests.ladder import makers
from tests.matches.makers import finish_match, make_match, make_records, store_replay
from tests.tournaments.makers import make_round, make_tournament
from tournaments.models import Entrant, Table, Tournament
from webhooks.models import Hook
from webhooks.services.hooks import hook_create
from wire.turnlog import LoggedTurn, pack
from workshop.models import Try


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give the tests of each operation a name of its own.

    Schemathesis leaves it to pytest to make the name and pytest to Schemathesis, so that all have the same. Processes
    that divide the tests among them by name would run one of them and say that all is well.
    """
    generated = [item for item in items if getattr(item, "operation_label", "")]
    for item in generated:
        if "[" not in item.nodeid:
            item._id = item.id.with_params(item.operation_label)
    assert len({item.nodeid for item in generated}) == len(generated), "Tests of operations share a name."


def client_of(user: User | None) -> Client:
    """Return a client that sends a token of the user; for None, a client without a token."""
    if user is None:
        return Client()
    _, token = AuthToken.objects.create(user=user)
    return Client(headers={"Authorization": f"Bearer {token}"})


@dataclass(frozen=True)
class Arena:
    """Rows of every kind, most of them the owner's."""

    owner: User
    stranger: User
    staff: User
    bot: Bot
    other: Bot
    old: BotVersion
    version: BotVersion
    match: Match
    trial: Trial
    trial_match: Match
    worker: Worker
    host: Host
    notification: Notification
    tournament: Tournament
    """A knockout that is being played."""
    entrant: Entrant
    table: Table
    tried: Try
    hook: Hook

    def client(self, visitor: str) -> Client:
        """Return the client of "anonymous", "user", "owner" or "staff"."""
        users = {"anonymous": None, "user": self.stranger, "owner": self.owner, "staff": self.staff}
        return client_of(users[visitor])

    def path(self, template: str) -> str:
        numbers = {name: row.pk for name, row in vars(self).items()}
        numbers |= {"user": self.owner.username, "game": "kakomimasu"}
        return "/api/v1/" + template.format(**numbers)


@pytest.fixture
def arena() -> Arena:
    cache.clear()
    owner, stranger = makers.make_user("alice"), makers.make_user("bob")
    staff = makers.make_user("root admin", is_staff=True)
    bot = makers.make_bot("Moat", owner)
    old = makers.make_version(bot, state=BotVersion.State.RETIRED, artifact_digest="e" * 64)
    turns = pack([LoggedTurn(seat, 1, "go", "NONE", f"thought of {seat}", 1.0, 2.0) for seat in (0, 1)])
    checked = make_records("Moat", "house")
    checked[0]["seats"][1]["digest"] = "b" * 64
    check = {"check_replay_digest": store_replay(encode(checked)), "check_log_digest": store_replay(turns)}
    version = makers.make_version(bot, log="printed by the build", **check)
    other = makers.make_version(makers.make_bot("Wall", stranger))
    makers.make_rating(version)
    records = make_records("Moat", "Wall", fault_turn=3)
    match = finish_match(make_match(other, version), records)
    trial = Trial.objects.create(owner=owner, candidate=version, reference=old, game="kakomimasu", games_max=100)
    trial_match = make_match(version, old, kind=Match.Kind.TRIAL)
    host_invite(name="north", actor=staff)
    worker, host = make_worker(), Host.objects.get()
    values = {"bot": bot.pk, "name": bot.name, "is_house": False, "league": 1}
    notification = Notification.objects.create(reader=owner, kind="promoted", occasion="once", values=values)
    tournament = make_tournament(entrants=[version, other])
    make_round(tournament, (1, 2))
    return Arena(
        owner=owner,
        stranger=stranger,
        staff=staff,
        bot=bot,
        other=other.bot,
        old=old,
        version=version,
        match=match,
        trial=trial,
        trial_match=trial_match,
        worker=worker,
        host=host,
        notification=notification,
        tournament=tournament,
        entrant=tournament.entrants.get(number=1),
        table=Table.objects.get(round__tournament=tournament),
        tried=_tried(owner, other, records, turns),
        hook=hook_create(owner=owner, url="https://ci.example/banzuke", groups=["build"]),
    )


def _tried(owner: User, opponent: BotVersion, records: list[dict[str, Any]], turns: bytes) -> Try:
    """Return a try of the owner's program on seat 0, which failed in turn 3 against another bot."""
    why = {"verdict": "crashed", "turn": 3, "why": stored(said("It ended.")), "stderr": 'File "main.py", line 7'}
    seats = [
        {"rank": rank, "score": 0.0, "cpu_ms_total": 12.5, "cpu_ms_max": 1.0, "fault": fault}
        for rank, fault in ((2, why), (1, None))
    ]
    return Try.objects.create(
        owner=owner,
        contest=opponent.bot.contest,
        opponent=opponent,
        seat=0,
        players=2,
        seed=1,
        options={},
        bundle_digest="a" * 64,
        state=Try.State.FINISHED,
        turns=3,
        seats=seats,
        replay_digest=store_replay(encode(records)),
        log_digest=store_replay(turns),
    )
