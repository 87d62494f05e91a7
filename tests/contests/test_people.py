"""Members of contests: how they get in, who may do what, and what becomes of their bots."""

from __future__ import annotations

from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from accounts.models import AuditEntry, User
from common.errors import InputError
from contests.models import Contest, Invitation, Member
from contests.selectors.people import contest_to_join, organises
from contests.services.invitations import invitation_accept, invitation_create, invitation_revoke, team_invite
from contests.services.people import contest_join, member_add, member_remove, organiser_add, organiser_to_participant
from contests.services.teams import team_create, team_member_remove
from ladder.models import Bot
from tests.at_once import while_uncommitted
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user, make_version

pytestmark = pytest.mark.django_db


def invited(contest: Contest, by: User, uses_max: int = 2) -> str:
    return invitation_create(contest=contest, actor=by, days=7, uses_max=uses_max).token


def test_a_public_contest_is_joined_by_a_click_and_a_private_one_by_invitation() -> None:
    anna, ben = make_user("anna"), make_user("ben")
    public, private = make_contest("public", visibility="public"), make_contest()
    assert contest_join(contest="public", user=anna) == contest_join(contest="public", user=anna)
    organiser_add(contest="spring", user=ben, actor=None)
    with pytest.raises(InputError, match="private"):
        contest_join(contest="spring", user=anna)
    invitation_accept(token=invited(private, ben), user=anna)
    assert not organises(reader=anna, contest=private)
    assert organises(reader=ben, contest=private)
    assert not organises(reader=ben, contest=public)
    assert list(Member.objects.filter(contest="spring").values_list("user__username", "role")) == [
        ("ben", "organiser"),
        ("anna", "participant"),
    ]


def test_a_verified_address_of_the_domain_opens_a_private_contest() -> None:
    """An address that was only typed does not: anybody can type one."""
    contest, anna = make_contest(mail_domain="Uni.Example"), make_user("anna")
    address = EmailAddress.objects.create(user=anna, email="anna@uni.example", verified=False)
    assert contest_to_join(slug="spring", reader=anna) is None
    with pytest.raises(InputError, match="private"):
        contest_join(contest="spring", user=anna)
    address.verified = True
    address.save()
    assert contest_to_join(slug="spring", reader=anna) == contest
    contest_join(contest="spring", user=anna)


def test_an_invitation_counts_people_once_and_ends() -> None:
    contest, anna, ben = make_contest(), make_user("anna"), make_user("ben")
    token = invited(contest, anna, uses_max=1)
    for _click in range(2):
        if _click:
            with pytest.raises(InputError, match="as often as it may be"):
                invitation_accept(token=token, user=make_user("late"))
        else:
            invitation_accept(token=token, user=ben)
    old = invitation_create(contest=contest, actor=anna, days=1, uses_max=5)
    Invitation.objects.filter(pk=old.pk).update(expires_at=timezone.now() - timedelta(seconds=1))
    with pytest.raises(InputError, match="expired"):
        invitation_accept(token=old.token, user=make_user("later"))
    withdrawn = invitation_create(contest=contest, actor=anna, days=1, uses_max=5)
    invitation_revoke(invitation=withdrawn, actor=anna)
    with pytest.raises(InputError, match="no such invitation"):
        invitation_accept(token=withdrawn.token, user=make_user("latest"))
    assert set(AuditEntry.objects.values_list("act", flat=True)) == {"invitation_create", "invitation_revoke"}
    with pytest.raises(InputError, match="1 to 365 days"):
        invitation_create(contest=contest, actor=anna, days=366, uses_max=1)


def test_the_last_organiser_stays() -> None:
    make_contest()
    anna, ben = make_user("anna"), make_user("ben")
    organiser_add(contest="spring", user=anna, actor=None)
    for leave in (organiser_to_participant, member_remove):
        with pytest.raises(InputError, match="needs an organiser"):
            leave(contest="spring", user=anna, actor=anna)
    organiser_add(contest="spring", user=ben, actor=anna)
    organiser_to_participant(contest="spring", user=anna, actor=ben)
    assert Member.objects.get(user=anna).role == "participant"


def test_the_bots_of_a_removed_participant_play_no_more() -> None:
    contest, anna = make_contest(), make_user("anna")
    Member.objects.create(contest=contest, user=anna)
    bot = Bot.objects.create(owner=anna, contest=contest, game=contest.game, name="Moat")
    version = make_version(bot)
    member_remove(contest="spring", user=anna, actor=None, reason="asked for it")
    version.refresh_from_db()
    assert version.state == "retired"
    assert not Member.objects.exists()


def test_who_leaves_a_contest_does_so_by_a_button_and_is_in_no_list_any_more(client: Client) -> None:
    contest, anna = make_contest(), make_user("anna")
    Member.objects.create(contest=contest, user=anna)
    client.force_login(anna)
    assert "Leave the contest" in client.get("/contests/spring/join/").content.decode()
    assert client.post("/contests/spring/leave/")["Location"] == "/mine/"
    assert client.get("/contests/spring/join/").status_code == 404
    assert not Member.objects.exists()


def test_guests_do_not_learn_which_contests_exist(client: Client) -> None:
    make_contest()
    answers = [client.get(f"/contests/{slug}/join/") for slug in ("spring", "nothing")]
    assert [answer.status_code for answer in answers] == [302, 302]
    client.force_login(make_user("anna"))
    answers = [client.get(f"/contests/{slug}/join/") for slug in ("spring", "nothing")]
    assert [answer.status_code for answer in answers] == [404, 404]


@pytest.mark.django_db(transaction=True)
def test_two_people_cannot_both_take_the_last_place_of_an_invitation(django_db_blocker: DjangoDbBlocker) -> None:
    contest, anna, ben = make_contest(), make_user("anna"), make_user("ben")
    token = invited(contest, make_user("organiser"), uses_max=1)

    def second() -> str:
        try:
            invitation_accept(token=token, user=ben)
        except InputError as error:
            return str(error)
        return ""

    assert "as often as it may be" in while_uncommitted(
        lambda: invitation_accept(token=token, user=anna), second, django_db_blocker
    )
    assert Invitation.objects.get().uses == 1
    assert [member.user for member in Member.objects.all()] == [anna]


@pytest.mark.django_db(transaction=True)
def test_two_organisers_cannot_both_leave_at_once(django_db_blocker: DjangoDbBlocker) -> None:
    make_contest()
    anna, ben = make_user("anna"), make_user("ben")
    for user in (anna, ben):
        organiser_add(contest="spring", user=user, actor=None)

    def second() -> str:
        try:
            member_remove(contest="spring", user=ben, actor=ben)
        except InputError as error:
            return str(error)
        return ""

    first = while_uncommitted(lambda: member_remove(contest="spring", user=anna, actor=anna), second, django_db_blocker)
    assert "needs an organiser" in first
    assert [member.user for member in Member.objects.all()] == [ben]


def test_a_link_to_a_team_opens_no_private_contest(client: Client) -> None:
    contest, anna, ben, eve = make_contest(), make_user("anna"), make_user("ben"), make_user("eve")
    for user in (anna, ben):
        member_add(contest="spring", user=user, actor=None)
    team = team_create(contest=contest, user=anna, name="Castle")
    token = team_invite(team=team, actor=anna).token
    with pytest.raises(InputError, match="private"):
        invitation_accept(token=token, user=eve)
    assert not Member.objects.filter(user=eve).exists()
    assert Invitation.objects.get(token=token).uses == 0
    client.force_login(eve)
    assert "please ask its organisers for an invitation" in client.get(f"/join/{token}/").text
    invitation_accept(token=token, user=ben)
    assert team.members.filter(user=ben).exists()


@pytest.mark.parametrize(("method", "path"), [("get", ""), ("post", "add/"), ("post", "list/")])
def test_the_pages_of_people_are_for_organisers_and_administrators_with_two_factors(
    client: Client, settings: Settings, method: str, path: str
) -> None:
    settings.ADMIN_MFA_REQUIRED = True
    make_contest()
    url = f"/contests/spring/people/{path}"
    public = f"/contests/open/people/{path}"
    make_contest("open", visibility="public")
    client.force_login(make_user("eve"))
    assert {getattr(client, method)(each).status_code for each in (url, public)} == {404}
    chief = make_user("chief", is_staff=True)
    client.force_login(chief)
    told = getattr(client, method)(public, {"name": "eve", "role": "participant"}, follow=True)
    assert told.redirect_chain[0][0] == reverse("mfa_activate_totp")
    assert "Administrators of this arena need two-factor authentication." in told.text
    assert not Member.objects.exists()


def test_who_is_removed_does_not_come_back_by_a_link_made_before() -> None:
    contest, anna, ben, cleo = make_contest(), make_user("anna"), make_user("ben"), make_user("cleo")
    for user in (anna, ben, cleo):
        organiser_add(contest="spring", user=user, actor=None)
    kept = invited(contest, anna)
    own = invited(contest, ben)
    team = team_create(contest=contest, user=anna, name="Castle")
    invitation_accept(token=team_invite(team=team, actor=anna).token, user=ben)
    invitation_accept(token=team_invite(team=team, actor=anna).token, user=cleo)
    of_team = [team_invite(team=team, actor=user).token for user in (ben, cleo)]
    team_member_remove(team=team, user=cleo, actor=anna)
    member_remove(contest="spring", user=ben, actor=anna)
    for token in (own, *of_team):
        with pytest.raises(InputError, match="no such invitation"):
            invitation_accept(token=token, user=ben)
    of_cleo = invited(contest, cleo)
    organiser_to_participant(contest="spring", user=cleo, actor=anna)
    assert list(Invitation.objects.filter(token__in=[kept, of_cleo]).values_list("token", flat=True)) == [kept]
