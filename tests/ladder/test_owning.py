"""Whose bots are whose: alone, in teams, and for everybody else; every check of "own" gives the same answer."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from common.errors import InputError
from contests.models import Contest, Member, Team
from contests.services.teams import team_create, team_join, team_leave
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import (
    bot_for_reader,
    bot_is_own,
    bot_is_seen,
    bot_page,
    bots_accepted,
    bots_of,
    bots_own,
    own_among,
    own_condition,
    owned_by,
    participant_key,
)
from ladder.selectors.profiles import bots_alone, bots_in_contest, profile_of, team_bots
from ladder.selectors.programs import bot_with_program, programs_shared
from ladder.selectors.quotas import bots_live_count, contest_bots_max, quota_of
from ladder.selectors.versions import version_of, version_to_resume
from ladder.services.upload_checks import check_bot_quota, check_is_own
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user, make_version

pytestmark = pytest.mark.django_db
State = BotVersion.State
GUEST = AnonymousUser()


@pytest.fixture
def contest() -> Contest:
    return make_contest(visibility="public")


@pytest.fixture
def people() -> dict[str, User]:
    """Alice and bob are in a team; carol is alone."""
    return {name: make_user(name) for name in ("alice", "bob", "carol")}


@pytest.fixture
def team(contest: Contest, people: dict[str, User]) -> Team:
    team = team_create(contest=contest, user=people["alice"], name="Both")
    Member.objects.create(contest=contest, user=people["bob"])
    team_join(team=team, user=people["bob"])
    return team


def a_bot(contest: Contest, owner: User, name: str, team: Team | None = None, state: str = State.ACTIVE) -> BotVersion:
    bot = Bot.objects.create(owner=owner, team=team, contest=contest, game=contest.game, name=name)
    return make_version(bot, state=state)


@pytest.fixture
def bots(contest: Contest, people: dict[str, User], team: Team) -> dict[str, BotVersion]:
    return {
        "team": a_bot(contest, people["alice"], "Team", team),
        "carol": a_bot(contest, people["carol"], "Carol"),
        "elsewhere": a_bot(Contest.objects.get(pk="kakomimasu"), people["bob"], "Elsewhere"),
    }


@pytest.mark.parametrize(
    ("reader", "own"),
    [("alice", {"team"}), ("bob", {"team", "elsewhere"}), ("carol", {"carol"}), ("", set())],
)
def test_every_check_gives_the_same_answer(
    people: dict[str, User], bots: dict[str, BotVersion], reader: str, own: set[str]
) -> None:
    user = people[reader] if reader else GUEST
    keys = {bots[name].bot_id for name in own}
    every = [version.bot for version in bots.values()]
    assert {bot.pk for bot in bots_own(reader=user)} == keys
    assert own_among(bots=every, reader=user) == keys
    assert {bot.pk for bot in every if bot_is_own(bot=bot, reader=user)} == keys
    found = BotVersion.objects.filter(own_condition(reader=user, prefix="bot__"))
    assert {version.bot_id for version in found} == keys
    assert {version.bot_id for version in bots.values() if version_of(pk=version.pk, owner=user)} == keys
    if isinstance(user, User):
        assert {bot.pk for bot in bots_of(owner=user)} == keys
        for version in bots.values():
            if version.bot_id in keys:
                check_is_own(version.bot, user)
            else:
                with pytest.raises(InputError, match="not yours any more"):
                    check_is_own(version.bot, user)


def test_whose_bots_are_is_asked_only_where_there_are_teams(
    people: dict[str, User], bots: dict[str, BotVersion], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(0):
        assert bot_is_own(bot=bots["carol"].bot, reader=people["carol"])
        assert not bot_is_own(bot=bots["team"].bot, reader=GUEST)
    with django_assert_num_queries(1):
        assert bot_is_own(bot=bots["team"].bot, reader=people["bob"])


def test_who_leaves_a_team_leaves_its_bots(people: dict[str, User], team: Team, bots: dict[str, BotVersion]) -> None:
    team_leave(team=team, user=people["alice"])
    bot = Bot.objects.get(pk=bots["team"].bot_id)
    assert (bot.owner, bot_is_own(bot=bot, reader=people["alice"])) == (people["bob"], False)
    assert version_of(pk=bots["team"].pk, owner=people["alice"]) is None
    team_leave(team=team, user=people["bob"])
    bot.refresh_from_db()
    assert (bot.team, bot.owner) == (None, people["bob"])


def test_a_name_of_a_person_or_a_team_finds_bots_in_any_case(bots: dict[str, BotVersion]) -> None:
    for name, found in (
        ("BOTH", {"team"}),
        ("carol", {"carol"}),
        ("Alice", {"team"}),
        ("nobody", set()),
        ("bo", set()),
    ):
        assert set(Bot.objects.filter(owned_by(name=name))) == {bots[key].bot for key in found}
    assert BotVersion.objects.filter(owned_by(name="both", prefix="bot__")).get() == bots["team"]


def test_participants_have_different_keys_whatever_their_numbers(team: Team, bots: dict[str, BotVersion]) -> None:
    keys = dict(Bot.objects.annotate(key=participant_key()).values_list("pk", "key"))
    assert keys[bots["team"].bot_id] == -team.pk
    assert keys[bots["carol"].bot_id] == bots["carol"].bot.owner_id
    assert len(set(keys.values())) == 3


@pytest.mark.parametrize("state", [State.UPLOADED, State.REJECTED, State.FAILED, State.RECEIVED])
def test_before_a_version_was_accepted_only_its_people_see_a_bot(
    contest: Contest, people: dict[str, User], team: Team, state: str
) -> None:
    bot = a_bot(contest, people["alice"], "New", team, state).bot
    chief = make_user("chief", is_staff=True)
    page = bot_page(pk=bot.pk)
    assert page is not None
    for reader, is_seen in ((people["bob"], True), (chief, True), (people["carol"], False), (GUEST, False)):
        assert bot_is_seen(bot=page, reader=reader) is is_seen
        assert (bot_for_reader(pk=bot.pk, reader=reader) is not None) is is_seen
    assert bot not in bots_accepted()
    BotVersion.objects.update(activated_at=timezone.now())
    assert bot in bots_accepted()
    assert bot_for_reader(pk=bot.pk, reader=GUEST) == bot


def test_a_bot_of_a_hidden_contest_is_for_its_members(contest: Contest, people: dict[str, User]) -> None:
    hidden = make_contest("hidden")
    version = a_bot(hidden, people["alice"], "Secret")
    assert bot_for_reader(pk=version.bot_id, reader=people["alice"]) is None, "she was removed from it"
    assert version_of(pk=version.pk, owner=people["alice"]) is None
    Member.objects.create(contest=hidden, user=people["alice"])
    assert bot_for_reader(pk=version.bot_id, reader=people["alice"]) == version.bot
    assert version_of(pk=version.pk, owner=people["alice"]) == version
    profile = profile_of(user=people["alice"], reader=people["carol"])
    assert [row.bot for row in profile.bots] == []
    assert [row.bot for row in profile_of(user=people["alice"], reader=people["alice"]).bots] == [version.bot]


def test_a_probation_is_ended_by_owners_and_administrators(
    people: dict[str, User], bots: dict[str, BotVersion]
) -> None:
    version = bots["team"]
    chief = make_user("chief", is_staff=True)
    for reader, may in ((people["bob"], True), (chief, True), (people["carol"], False), (GUEST, False)):
        assert (version_to_resume(pk=version.pk, reader=reader) == version) is may
    assert version_of(pk=version.pk, owner=chief) is None
    assert version_to_resume(pk=version.pk + 10**6, reader=chief) is None


def test_pages_list_own_bots_by_rank_and_those_that_a_team_would_get(
    contest: Contest, people: dict[str, User], team: Team, bots: dict[str, BotVersion]
) -> None:
    alone = a_bot(contest, people["carol"], "Alone", state=State.RETIRED)
    assert bots_alone(contest=contest.slug, user=people["carol"]) == [alone.bot, bots["carol"].bot]
    assert [row.bot for row in bots_in_contest(contest=contest.slug, reader=people["carol"])] == [bots["carol"].bot]
    assert bots_in_contest(contest=contest.slug, reader=GUEST) == []
    a_bot(contest, people["bob"], "Unbuilt", team, State.REJECTED)
    for reader, names in ((people["alice"], ["Team", "Unbuilt"]), (people["carol"], ["Team"]), (GUEST, ["Team"])):
        assert [row.bot.name for row in team_bots(team=team, reader=reader)] == names


def test_one_program_plays_once_for_a_participant(
    contest: Contest, people: dict[str, User], team: Team, bots: dict[str, BotVersion]
) -> None:
    digest = bots["team"].bundle_digest
    other = Bot(owner=people["bob"], team=team, contest=contest, game=contest.game, name="Other")
    other.save()
    assert bot_with_program(bot=other, digest=digest) == bots["team"].bot
    assert bot_with_program(bot=bots["team"].bot, digest=digest) is None, "its own next version"
    assert bot_with_program(bot=other, digest="e" * 64) is None
    (shared,) = programs_shared(contest=contest.slug)
    assert shared.versions == [bots["team"], bots["carol"]], "the oldest first"
    other.is_house = True
    assert bot_with_program(bot=other, digest=digest) is None


# --- Quotas ---------------------------------------------------------------------------------------------------------


def test_bots_of_teams_count_for_each_member_and_those_of_ended_contests_for_nobody(
    contest: Contest, people: dict[str, User], bots: dict[str, BotVersion]
) -> None:
    assert [quota_of(owner=people[name]).bots for name in ("alice", "bob", "carol")] == [1, 2, 1]
    contest.state = Contest.State.FROZEN
    contest.save()
    assert [quota_of(owner=people[name]).bots for name in ("alice", "bob", "carol")] == [0, 1, 0]
    assert quota_of(owner=people["alice"]).bytes == bots["team"].bundle_bytes, "they take their space all the same"


def test_versions_count_for_an_hour_and_rebuilds_never(people: dict[str, User], bots: dict[str, BotVersion]) -> None:
    make_version(bots["carol"].bot, state=State.RETIRED, bundle_bytes=0)
    assert quota_of(owner=people["carol"]).versions_hour == 1
    BotVersion.objects.update(created_at=timezone.now() - timedelta(hours=1, seconds=1))
    assert quota_of(owner=people["carol"]).versions_hour == 0


def test_of_a_refused_upload_nothing_is_stored(people: dict[str, User], bots: dict[str, BotVersion]) -> None:
    before = quota_of(owner=people["carol"]).bytes
    refused = make_version(bots["carol"].bot, state=State.REJECTED, bundle_digest="", bundle_bytes=500)
    assert quota_of(owner=people["carol"]).bytes == before
    BotVersion.objects.filter(pk=refused.pk).update(bundle_digest="c" * 64)
    assert quota_of(owner=people["carol"]).bytes == before + 500


@pytest.mark.parametrize(("most", "sentence"), [(1, "may have 1 bot. Please withdraw one"), (2, "may have 2 bots.")])
def test_a_participant_has_so_many_bots(
    contest: Contest, people: dict[str, User], team: Team, bots: dict[str, BotVersion], most: int, sentence: str
) -> None:
    contest.bots_max = most
    contest.save()
    for number in range(most - 1):
        a_bot(contest, people["bob"], f"More {number}", team)
    assert bots_live_count(contest=contest.slug, team=team.pk) == most == contest_bots_max(contest=contest)
    assert bots_live_count(contest=contest.slug, owner=people["bob"]) == 0, "all of them are the team's"
    further = Bot.objects.create(owner=people["alice"], team=team, contest=contest, game=contest.game, name="Further")
    with pytest.raises(InputError, match=sentence):
        check_bot_quota(further, people["alice"])
    check_bot_quota(bots["team"].bot, people["alice"])  # a further version of a bot that plays
    make_version(further, state=State.RETIRED)
    with pytest.raises(InputError, match=sentence):
        check_bot_quota(further, people["alice"])


def test_a_user_has_so_many_bots_in_all_contests(
    people: dict[str, User], bots: dict[str, BotVersion], settings: Settings
) -> None:
    settings.USER_ACTIVE_BOTS_MAX = 2
    fresh = Bot.objects.create(owner=people["bob"], contest_id="puyo", game="puyo", name="Fresh")
    with pytest.raises(InputError, match="You have 2 active bots, as many as one user may have"):
        check_bot_quota(fresh, people["bob"])
    fresh.is_house = True
    check_bot_quota(fresh, people["bob"])
