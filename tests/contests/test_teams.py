"""Teams: who may do what to their bots, what becomes of bots when members come and go, and pairing."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from accounts.models import Notification, User
from accounts.services.closing import account_close
from common.errors import InputError
from contests.models import Contest, Member, Team
from contests.services.invitations import invitation_accept, team_invite
from contests.services.people import member_remove
from contests.services.teams import captaincy_pass, team_create, team_join, team_leave, team_member_remove, team_rename
from ladder.models import Bot, BotVersion
from ladder.news import BUILT
from ladder.selectors.bots import bot_is_own, bots_own
from ladder.services.notifications import notification_create
from ladder.services.uploads import version_create, version_play_again
from matches.models import Match
from matches.services.challenges import challenge_start
from matches.services.pairing import _snapshot
from tests.at_once import while_uncommitted
from tests.contests.makers import make_contest
from tests.ladder.makers import SOURCE, make_rating, make_user, make_version
from tests.matches.makers import make_match

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest() -> Contest:
    return make_contest(visibility="public", bots_max=2)


@pytest.fixture
def anna() -> User:
    return make_user("anna")


@pytest.fixture
def ben() -> User:
    return make_user("ben")


@pytest.fixture
def team(contest: Contest, anna: User, ben: User) -> Team:
    """Anna is its captain, Ben its other member; each has brought a bot."""
    for owner, name in ((anna, "Moat"), (ben, "Tower")):
        make_version(
            make_entry(owner, contest, name), artifact_digest=name[0].lower() * 64, bundle_digest=name[0].lower() * 64
        )
    made = team_create(contest=contest, user=anna, name="Castle")
    invitation_accept(token=team_invite(team=made, actor=anna).token, user=ben)
    return made


def make_entry(owner: User, contest: Contest, name: str) -> Bot:
    return Bot.objects.create(owner=owner, contest=contest, game=contest.game, name=name)


def upload(name: str = "main.py", source: bytes = SOURCE) -> SimpleUploadedFile:
    return SimpleUploadedFile(name, source)


def owners(contest: Contest) -> dict[str, tuple[str, str | None]]:
    rows = Bot.objects.filter(contest=contest).order_by("name")
    return {bot.name: (bot.owner.username, bot.team.name if bot.team else None) for bot in rows}


def test_who_joins_brings_the_bots_and_who_leaves_leaves_them(
    contest: Contest, team: Team, anna: User, ben: User
) -> None:
    assert owners(contest) == {"Moat": ("anna", "Castle"), "Tower": ("ben", "Castle")}
    team_leave(team=team, user=ben)
    assert owners(contest) == {"Moat": ("anna", "Castle"), "Tower": ("anna", "Castle")}
    assert not bots_own(reader=ben).exists()
    team_leave(team=team, user=anna)
    assert owners(contest) == {"Moat": ("anna", None), "Tower": ("anna", None)}
    assert not Team.objects.exists()


def test_a_captain_who_leaves_passes_the_captaincy_on(contest: Contest, team: Team, anna: User, ben: User) -> None:
    with pytest.raises(InputError, match="Only the captain"):
        team_rename(team=team, actor=ben, name="Keep")
    with pytest.raises(InputError, match="Only a member"):
        captaincy_pass(team=team, user=make_user("carl"), actor=anna)
    team_leave(team=team, user=anna)
    team.refresh_from_db()
    assert team.captain == ben
    assert owners(contest)["Moat"] == ("ben", "Castle")
    assert team_rename(team=team, actor=ben, name="Keep").name == "Keep"


def test_nobody_is_in_two_teams_and_no_team_has_too_many_bots(contest: Contest, team: Team, ben: User) -> None:
    with pytest.raises(InputError, match="in a team of this contest already"):
        team_create(contest=contest, user=ben, name="Other")
    carl = make_user("carl")
    make_version(make_entry(carl, contest, "Ditch"))
    with pytest.raises(InputError, match="may have 2 bots"):
        team_join(team=team, user=carl)
    assert owners(contest)["Ditch"] == ("carl", None)
    assert team_join(team=team, user=make_user("dora"))
    with pytest.raises(InputError, match="may have 2 bots"):
        version_create(owner=ben, contest="spring", name="Third", upload=upload())


def test_the_teams_of_a_contest_that_is_over_stay(
    client: Client, contest: Contest, team: Team, anna: User, ben: User
) -> None:
    Contest.objects.update(state=Contest.State.FROZEN)
    acts = (
        lambda: team_leave(team=team, user=ben),
        lambda: team_rename(team=team, actor=anna, name="Keep"),
        lambda: team_member_remove(team=team, user=ben, actor=anna),
        lambda: team_join(team=team, user=make_user("carl")),
    )
    for act in acts:
        with pytest.raises(InputError, match="teams stay as they are"):
            act()
    client.force_login(ben)
    assert "teams stay as they are" in client.get("/contests/spring/team/").content.decode()


def test_names_of_teams_are_told_apart(contest: Contest, team: Team) -> None:
    for name in ("castle", "Cast1e", "", "a" * 41, "<b>"):
        with pytest.raises(InputError):
            team_create(contest=contest, user=make_user(f"user{len(name)}{name[:1].isalpha()}{name[-2:-1]}"), name=name)


def test_all_members_upload_and_see_and_strangers_do_not(
    client: Client, contest: Contest, team: Team, ben: User, enqueued: list[int]
) -> None:
    version = version_create(owner=ben, contest="spring", name="Moat", upload=upload())
    assert (version.bot.team, version.number) == (team, 2)
    for name, status in (("anna", 200), ("ben", 200), ("carl", 404)):
        user = User.objects.filter(username=name).first() or make_user(name)
        client.force_login(user)
        assert client.get(f"/versions/{version.pk}/").status_code == status
        assert client.get(f"/bots/{version.bot_id}/trials/").status_code == status
    client.force_login(ben)
    assert "Moat" in client.get("/mine/").content.decode()


def test_a_version_plays_again_for_a_member_whose_uploads_are_not_stopped(
    contest: Contest, team: Team, anna: User, ben: User
) -> None:
    """The attack: a member whose uploads were stopped has older versions built in the name of another."""
    version = make_version(Bot.objects.get(name="Moat"), state=BotVersion.State.RETIRED)
    ben.uploads_stopped = "too many"
    ben.save()
    with pytest.raises(InputError, match="too many"):
        version_play_again(version=version, actor=ben)
    team_leave(team=team, user=ben)
    ben.uploads_stopped = ""
    ben.save()
    with pytest.raises(InputError, match="not yours any more"):
        version_play_again(version=version, actor=ben)


def test_evidence_and_logs_are_for_all_members(contest: Contest, team: Team, anna: User, ben: User) -> None:
    from matches.selectors.matches import match_page, seats_for_reader

    moat = BotVersion.objects.get(bot__name="Moat")
    other = make_version(make_entry(make_user("carl"), contest, "Ditch"))
    match = make_match(moat, other)
    match.seats.update(verdict="crash", evidence={"stderr": "secret"})
    for reader, seen in ((anna, [True, False]), (ben, [True, False]), (make_user("dora"), [False, False])):
        page = match_page(pk=match.pk, reader=reader)
        assert page
        assert [bool(seat.evidence) for seat in seats_for_reader(match=page, reader=reader)] == seen


def test_bots_of_one_team_never_meet(contest: Contest, team: Team, anna: User) -> None:
    alone = make_version(make_entry(make_user("carl"), contest, "Ditch"))
    candidates = {row.version: row.owner for row in _snapshot("spring", []).candidates}
    moat, tower = (BotVersion.objects.get(bot__name=name) for name in ("Moat", "Tower"))
    assert candidates[moat.pk] == candidates[tower.pk] != candidates[alone.pk]
    with pytest.raises(InputError, match="one team"):
        challenge_start(owner=anna, bot=moat.bot, opponent=tower.bot)


def test_a_member_challenges_with_a_bot_that_another_brought(contest: Contest, team: Team, ben: User) -> None:
    ditch = make_version(make_entry(make_user("carl"), contest, "Ditch"), artifact_digest="f" * 64)
    challenge_start(owner=ben, bot=Bot.objects.get(name="Moat"), opponent=ditch.bot)
    assert Match.objects.filter(kind=Match.Kind.CHALLENGE).count() == 2


def test_all_members_are_notified(contest: Contest, team: Team) -> None:
    notification_create(kind=BUILT, bot=Bot.objects.get(name="Moat"), occasion="version 1")
    assert set(Notification.objects.values_list("reader__username", flat=True)) == {"anna", "ben"}


def test_the_same_program_plays_once_in_a_team(contest: Contest, anna: User, ben: User, enqueued: list[int]) -> None:
    version_create(owner=anna, contest="spring", name="Moat", upload=upload())
    made = team_create(contest=contest, user=anna, name="Castle")
    team_join(team=made, user=ben)
    with pytest.raises(InputError, match="same program"):
        version_create(owner=ben, contest="spring", name="Tower", upload=upload())


def test_a_removed_participant_and_a_closed_account_leave_their_team(
    contest: Contest, team: Team, anna: User, ben: User
) -> None:
    carl = make_user("carl")
    team_join(team=team, user=carl)
    member_remove(contest="spring", user=ben, actor=None)
    assert owners(contest)["Tower"] == ("anna", "Castle")
    account_close(user=anna, actor=anna)
    assert owners(contest) == {"Moat": ("carl", "Castle"), "Tower": ("carl", "Castle")}
    assert not BotVersion.objects.exclude(state="active").exists()
    with pytest.raises(InputError, match="captain cannot be removed"):
        team_member_remove(team=team, user=carl, actor=carl)


def test_board_and_profile_name_the_team(client: Client, contest: Contest, team: Team) -> None:
    make_rating(BotVersion.objects.get(bot__name="Moat"), listed=True, rank=1, rank_best=1, rank_worst=1)
    page = client.get("/contests/spring/").content.decode()
    assert f'/contests/spring/teams/{team.pk}/"><bdi>Castle</bdi>' in page
    assert "Moat" in client.get("/contests/spring/?owner=castle").content.decode()
    assert "Moat" in client.get("/users/ben/").content.decode()
    assert "Castle" in client.get(f"/bots/{Bot.objects.get(name='Moat').pk}/").content.decode()


def test_the_public_page_of_a_team_gives_no_link_away(client: Client, contest: Contest, team: Team, ben: User) -> None:
    url = f"/contests/spring/teams/{team.pk}/"
    assert "/join/" not in client.get(url).content.decode()
    client.force_login(ben)
    assert "/join/" in client.get(url).content.decode()
    client.force_login(make_user("carl"))
    assert "/join/" not in client.get(url).content.decode()
    assert client.post("/contests/spring/team/leave/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_an_upload_waits_for_a_member_who_is_just_leaving(
    contest: Contest, anna: User, ben: User, enqueued: list[int], django_db_blocker: DjangoDbBlocker
) -> None:
    """Else the new version would come into a team whose member the uploader is no more."""
    make_version(make_entry(anna, contest, "Moat"))
    made = team_create(contest=contest, user=anna, name="Castle")
    team_join(team=made, user=ben)

    def second() -> str:
        try:
            version_create(owner=ben, contest="spring", name="Moat", upload=upload())
        except InputError as error:
            return str(error)
        return ""

    assert "has this name" in while_uncommitted(lambda: team_leave(team=made, user=ben), second, django_db_blocker)
    assert Bot.objects.get().versions.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_members_cannot_both_upload_the_last_bot(
    contest: Contest, anna: User, ben: User, enqueued: list[int], django_db_blocker: DjangoDbBlocker
) -> None:
    make_version(make_entry(anna, contest, "Moat"))
    made = team_create(contest=contest, user=anna, name="Castle")
    team_join(team=made, user=ben)

    def second() -> str:
        try:
            version_create(owner=ben, contest="spring", name="Tower", upload=upload(source=b"print(2)\n"))
        except InputError as error:
            return str(error)
        return ""

    first = lambda: version_create(owner=anna, contest="spring", name="Ditch", upload=upload())  # noqa: E731
    assert "may have 2 bots" in while_uncommitted(first, second, django_db_blocker)
    assert Bot.objects.count() == 2


def test_own_bots_cost_no_query_for_who_has_no_team(
    anna: User, contest: Contest, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    bot = make_entry(anna, contest, "Moat")
    with django_assert_num_queries(0):
        assert bot_is_own(bot=bot, reader=anna)


def test_the_first_upload_makes_a_participant(contest: Contest, anna: User, enqueued: list[int]) -> None:
    version_create(owner=anna, contest="spring", name="Moat", upload=upload())
    assert Member.objects.get().user == anna
    make_contest("secret")
    with pytest.raises(InputError, match="no such contest"):
        version_create(owner=anna, contest="secret", name="Moat", upload=upload())
