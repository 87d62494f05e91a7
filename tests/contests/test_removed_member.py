"""A member who was removed from a private contest can do no more in it than a stranger."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.core.cache import cache as stored
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from accounts.models import User
from common.errors import InputError
from common.queries.sql import database_now
from contests.models import Member
from contests.selectors.contests import contest_unknown
from contests.services.people import member_remove
from exhibitions.selectors.seats import seat_of_secret
from exhibitions.services.opening import Opened, table_open
from exhibitions.services.seating import table_take_over
from ladder.models import Bot, BotVersion
from ladder.services.uploads import upload_receive, version_enter, version_play_again, version_retry
from matches.models import RemoteSeat, Trial
from matches.services.challenges import challenge_start
from matches.services.trials import trial_start
from tests.arena.test_visibility import CELLS, NAMING, ROWS, UNASKED, World, _asked, _found, _world
from tests.exhibitions.makers import finish, make_player, make_worker, table_begin
from tests.ladder.makers import DIGEST, SOURCE, make_bot, make_user, make_version
from tests.workshop.makers import FILES, make_try
from tournaments.services.entries import entrant_enter
from workshop.services.drafts import draft_save

pytestmark = pytest.mark.django_db

ROLES = ("stranger", "participant", "mate", "organiser", "administrator")


@pytest.fixture
def world() -> World:
    """A private contest in which a member plays alone."""
    stored.clear()
    world = _world("private", {role: make_user(f"the {role}") for role in ROLES})
    world.team.members.all().delete()
    Bot.objects.filter(team=world.team).update(team=None)
    for bot in (world.bot, world.version.bot):
        bot.refresh_from_db()
    return world


@pytest.fixture
def table(world: World) -> Opened:
    """A table at which the member has played."""
    make_worker()
    BotVersion.objects.filter(bot=world.other).update(artifact_digest=DIGEST)
    rival = BotVersion.objects.get(bot=world.other)
    opened = table_open(contest=world.contest, seats={0: make_player(world.owner), 1: rival})
    table_begin(opened.match)
    finish(opened.match)
    return opened


def _seat(table: Opened) -> RemoteSeat:
    return RemoteSeat.objects.select_related("match__contest").get(match=table.match)


def _upload() -> SimpleUploadedFile:
    return SimpleUploadedFile("main.py", SOURCE)


Way = Callable[[User, World, Opened], Any]
WAYS: dict[str, Way] = {
    "a table": lambda user, world, table: table_open(
        contest=world.contest, seats={0: make_player(user), 1: BotVersion.objects.get(bot=world.other)}
    ),
    "a table of before": lambda user, world, table: table_take_over(
        seat=_seat(table), taken=1, turn=1, player=make_player(user)
    ),
    "a try": lambda user, world, table: make_try(user, contest=world.contest.pk),
    "a draft": lambda user, world, table: draft_save(owner=user, contest=world.contest, language="python", files=FILES),
    "an upload": lambda user, world, table: upload_receive(
        owner=user, contest=world.contest.pk, name="Late", upload=_upload(), received_at=database_now()
    ),
    "an old version": lambda user, world, table: version_play_again(version=world.version),
    "a failed version": lambda user, world, table: version_retry(version=world.version),
    "a version from elsewhere": lambda user, world, table: version_enter(
        version=make_version(make_bot(owner=user)), contest=world.contest.pk, name="Late", actor=user
    ),
    "a private test": lambda user, world, table: trial_start(
        owner=user, candidate=world.version, reference=world.trial.reference
    ),
    "a challenge": lambda user, world, table: challenge_start(owner=user, bot=world.bot, opponent=world.other),
    "a tournament": lambda user, world, table: entrant_enter(
        tournament=world.tournament.pk, bot=world.bot.pk, actor=user
    ),
}
"""Every service by which somebody acts in a contest."""


def test_no_way_leads_back_into_the_contest(world: World, table: Opened) -> None:
    Trial.objects.filter(pk=world.trial.pk).update(state=Trial.State.STOPPED)
    member_remove(contest=world.contest.pk, user=world.owner, actor=None)
    answers = {}
    for name, way in WAYS.items():
        try:
            with transaction.atomic():
                way(world.owner, world, table)
            answers[name] = "taken"
        except InputError as refusal:
            answers[name] = str(refusal)
    assert answers == dict.fromkeys(WAYS, contest_unknown())


def test_the_secret_of_an_old_table_holds_as_long_as_its_player_is_in_the_contest(
    world: World, table: Opened, client: Client
) -> None:
    client.force_login(world.owner)
    session = client.session
    session["tables"] = {str(table.match.pk): table.secrets[0]}
    session.save()
    page = reverse("exhibitions:table", args=[table.match.pk])
    again = reverse("exhibitions:table_take_over", args=[table.match.pk])
    api = reverse("api:table", args=[table.match.pk])
    by_secret = {"Authorization": f"Seat {table.secrets[0]}"}
    assert world.other.name in client.get(page).text
    assert client.get(api, headers=by_secret).status_code == 200
    member_remove(contest=world.contest.pk, user=world.owner, actor=None)
    assert seat_of_secret(match=table.match.pk, secret=table.secrets[0]) is None
    gone = client.get(page, follow=True)
    assert gone.status_code == 404
    assert world.other.name not in gone.text
    assert client.post(again, {"turn": 1, "seat": 1}).status_code == 404
    assert client.get(api, headers=by_secret).status_code == 404
    assert RemoteSeat.objects.count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.test_all
def test_no_url_answers_a_removed_member_otherwise_than_a_stranger(world: World, client: Client) -> None:
    member_remove(contest=world.contest.pk, user=world.owner, actor=None)
    assert not Member.objects.filter(user=world.owner).exists()
    client.force_login(world.owner)
    wrong = []
    for row in ROWS:
        if row.kind in (*UNASKED, *NAMING, "fleet") or "*" in row.name:
            continue
        said = CELLS[row.kind, "private", "stranger"]
        found = _found(row, "private", "stranger", _asked(client, row, world), _asked(client, row, None))
        if found != said:
            wrong.append((row.name, row.method, f"says {said}, but is {found}"))
    assert not wrong, "\n".join(map(str, wrong))
