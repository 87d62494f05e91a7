"""Closing accounts: sign-in is disabled, bots are withdrawn, personal data is deleted, and matches stay."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.core.cache import cache
from django.db.models import Model
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from knox.models import AuthToken

from accounts.exports import export_sections
from accounts.models import AuditEntry, Notification, User
from accounts.services.audit import audit_write
from accounts.services.closing import account_close
from common.errors import InputError
from contests.models import Contest, Invitation, Member, Team, TeamMember
from contests.services.contests import contest_transition
from kakomimasu_api.models import KakomimasuGame
from ladder.models import Bot, BotVersion
from ladder.news import BUILT
from ladder.services.follows import follow_begin
from ladder.services.notifications import notification_create
from ladder.services.uploads import version_create
from matches.services.trials import trial_start
from tests.contests.makers import make_contest
from tests.exhibitions.makers import make_player, make_table
from tests.ladder.makers import an_upload, make_bot, make_rating, make_standings, make_user, make_version
from tests.matches.makers import finish_match, make_match
from tests.two_factor import two_factor_on
from tests.visitors import is_in, signed_in
from webhooks.services.hooks import hook_create
from workshop.services.drafts import draft_save
from workshop.services.tries import try_begin

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
GameState = Contest.State
State = BotVersion.State
PASSWORD = "correct horse"
CLOSE = "/accounts/close/"


@pytest.fixture(autouse=True)
def fresh() -> None:
    cache.clear()


def test_the_owner_closes_an_account_with_the_password(alice: User) -> None:
    here, elsewhere = signed_in(alice), signed_in(alice)
    assert f'href="{CLOSE}"' in here.get("/mine/").text
    assert "cannot be undone" in here.get(CLOSE).text
    assert here.head(CLOSE).status_code == 200
    asked = here.post(CLOSE)
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/"), "a browser left open is not enough"
    assert is_in(here)
    closed = here.post(asked.headers["Location"], {"password": PASSWORD, "next": CLOSE}, follow=True)
    assert "Your account is closed." in closed.text
    assert not is_in(here)
    assert not is_in(elsewhere)
    for name in ("alice", f"closed {alice.pk}"):
        visitor = Client()
        visitor.post("/accounts/login/", {"login": name, "password": PASSWORD})
        assert not is_in(visitor)


@pytest.mark.parametrize("state", [State.UPLOADED, State.BUILDING, State.ACTIVE, State.PROBATION])
def test_bots_of_a_closed_account_are_withdrawn(alice: User, state: State) -> None:
    version = make_version(make_bot(owner=alice), state=state)
    account_close(user=alice, actor=alice)
    version.refresh_from_db()
    assert version.state == State.RETIRED


@pytest.mark.parametrize("state", BotVersion.ON_BOARD)
@pytest.mark.parametrize("to", [GameState.PAUSED, GameState.OPEN])
def test_a_frozen_board_stays_as_it_is_until_the_game_is_opened(
    alice: User, client: Client, state: State, to: GameState
) -> None:
    bot = make_bot(owner=alice)
    stands, late = make_version(bot, state=state), make_version(bot, state=State.BUILDING)
    elsewhere = make_version(make_bot("Ring", alice))
    Bot.objects.filter(pk=elsewhere.bot_id).update(contest="puyo", game="puyo")
    others = make_version(make_bot("Wall", make_user("bob")))
    make_rating(stands, 1_600)
    make_standings()
    contest_transition(contest=GAME, to=GameState.FROZEN, actor=None)
    account_close(user=alice, actor=alice)
    assert states(stands, late, elsewhere) == [state, State.RETIRED, State.RETIRED]
    for page in (f"/games/{GAME}/", "/boards/", f"/bots/{bot.pk}/", f"/users/closed {alice.pk}/"):
        text = client.get(page).text
        assert f"closed {alice.pk}" in text
        assert "alice" not in text
    contest_transition(contest="puyo", to=GameState.PAUSED, actor=None)
    contest_transition(contest=GAME, to=GameState.FROZEN, actor=None, reason="The prizes are given.")
    assert states(stands) == [state]
    contest_transition(contest=GAME, to=to, actor=None)
    assert states(stands, others) == [State.RETIRED, State.ACTIVE]


def states(*versions: BotVersion) -> list[str]:
    return [BotVersion.objects.get(pk=version.pk).state for version in versions]


def test_no_personal_data_of_a_closed_account_is_left(alice: User, client: Client) -> None:
    two_factor_on(alice)
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    User.objects.filter(pk=alice.pk).update(
        email="alice@example.com", first_name="Alice", last_name="Liddell", mail_language="en"
    )
    AuthToken.objects.create(user=alice)
    version = make_version(make_bot(owner=alice))
    notification_create(kind=BUILT, bot=version.bot, occasion="once", version=version.pk, number=1)
    match = finish_match(make_match(version, make_version(make_bot("Wall", make_user("bob")))))
    account_close(user=alice, actor=alice)
    kept = " ".join(map(str, User.objects.filter(pk=alice.pk).values_list().get())).lower()
    assert "alice" not in kept
    assert "liddell" not in kept
    for rows in (Authenticator, EmailAddress, AuthToken, Notification):
        assert not rows.objects.exists()
    for page in (f"/matches/{match.pk}/", f"/bots/{version.bot_id}/", "/games/kakomimasu/"):
        assert "alice" not in client.get(page).text
    assert "Moat" in client.get(f"/matches/{match.pk}/").text, "matches stay"
    assert client.get("/users/alice/").status_code == 404
    assert make_user("alice").pk != alice.pk, "the name is free again"


def test_closing_an_account_leaves_other_users_unchanged(alice: User) -> None:
    two_factor_on(bob := make_user("bob"))
    EmailAddress.objects.create(user=bob, email="bob@example.com", primary=True, verified=True)
    AuthToken.objects.create(user=bob)
    version = make_version(make_bot("Wall", bob))
    notification_create(kind=BUILT, bot=version.bot, occasion="once", version=version.pk, number=1)
    kinds = (Authenticator, EmailAddress, AuthToken, Notification)
    before = [rows.objects.count() for rows in kinds]
    account_close(user=alice, actor=alice)
    assert [rows.objects.count() for rows in kinds] == before
    assert 0 not in before
    version.refresh_from_db()
    assert version.state == State.ACTIVE


def test_an_upload_that_waits_for_the_closing_is_refused(alice: User) -> None:
    account_close(user=alice, actor=alice)
    with pytest.raises(InputError):
        version_create(owner=alice, contest="kakomimasu", name="Moat", upload=an_upload())
    assert not BotVersion.objects.exists()


def test_administrators_close_an_account_and_the_audit_log_names_it(alice: User) -> None:
    chief = make_user("chief", is_staff=True, is_superuser=True)
    act = {"action": "close", "_selected_action": [alice.pk], "reason": "By letter of May 2."}
    signed_in(chief).post("/admin/accounts/user/", act)
    assert not User.objects.get(pk=alice.pk).is_active
    told = AuditEntry.objects.get()
    assert (told.actor, told.act, told.target, told.reason) == (chief, "account_close", "alice", "By letter of May 2.")


def test_accounts_of_administrators_and_house_bots_cannot_be_closed(alice: User) -> None:
    house = make_user("house")
    make_bot("House", house, is_house=True, declared_rating=1_000.0)
    User.objects.filter(pk=alice.pk).update(is_staff=True)
    for user in (alice, house):
        with pytest.raises(InputError, match="cannot be closed"):
            account_close(user=user, actor=user)
    chief = signed_in(alice)
    chief.post("/accounts/reauthenticate/", {"password": PASSWORD})
    refused = chief.post(CLOSE)
    assert refused.status_code == 422
    assert "cannot be closed" in refused.text
    assert User.objects.filter(is_active=True).count() == 2


# --- What closing leaves behind is said before ----------------------------------------------------------------------


def test_the_page_says_exactly_what_closing_deletes_and_leaves(
    alice: User, full: None, django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    about = {
        model
        for model in apps.get_models()
        for field in model._meta.get_fields(include_hidden=True)
        if getattr(field, "column", None) and field.related_model is User
    }
    before = {model._meta.label for model in about if rows_about(model, alice)}
    # No administrator can close an account; a captain's team goes on with another one, or is dissolved.
    assert before == {model._meta.label for model in about} - {"admin.LogEntry", *NO_MODELS_OF_PEOPLE}
    with django_capture_on_commit_callbacks(execute=True):
        account_close(user=alice, actor=alice)
    left = {model._meta.label for model in about if rows_about(model, alice)}
    at_tables = {"matches.RemoteSeat", "kakomimasu_api.KakomimasuGame"}
    assert left == {"ladder.Bot", "matches.Trial", "accounts.AuditEntry", *at_tables}
    deleted = {label for section in export_sections() if section.deleted for label in section.models}
    kept_models = {label for section in export_sections() if section.kept for label in section.models}
    assert left <= kept_models
    assert before - left - {"contests.Team"} <= deleted
    assert "accounts.User" in deleted
    kept = User.objects.filter(pk=alice.pk).values().get()
    named = {name for name, value in kept.items() if value not in ("", None, False, 0)}
    assert named == {"id", "username", "password", "date_joined", "uploads_stopped", "sessions_ended"} - (
        set() if kept["sessions_ended"] else {"sessions_ended"}
    )
    assert kept["password"].startswith("!")


NO_MODELS_OF_PEOPLE = {"accounts.User_groups", "accounts.User_user_permissions"}


def rows_about(model: type[Model], user: User) -> bool:
    fields = [field.name for field in model._meta.fields if field.related_model is User]
    return any(model._default_manager.filter(**{name: user}).exists() for name in fields)


@pytest.fixture
def full(alice: User) -> None:
    """A row about Alice in every model that refers to users, but for administrators' ones."""
    two_factor_on(alice)
    EmailAddress.objects.create(user=alice, email="alice@example.com", primary=True, verified=True)
    SocialAccount.objects.create(user=alice, provider="github", uid="1")
    AuthToken.objects.create(user=alice)
    hook_create(owner=alice, url="https://ci.example/", groups=["build"])
    User.objects.filter(pk=alice.pk).update(
        first_name="Alice", last_name="Liddell", mail_language="en", last_login=timezone.now(), password_once=False
    )
    contest = make_contest()
    Member.objects.create(contest=contest, user=alice, role=Member.Role.ORGANISER)
    team = Team.objects.create(contest=contest, name="Rabbits", captain=alice)
    TeamMember.objects.create(contest=contest, team=team, user=alice)
    Invitation.objects.create(contest=contest, created_by=alice, expires_at=timezone.now(), uses_max=1)
    version = make_version(make_bot(owner=alice))
    files = {"main.py": "pass"}
    draft_save(owner=alice, contest=version.bot.contest, language="python", files=files)
    try_begin(owner=alice, contest="kakomimasu", language="python", files=files, opponent=None, seat=0)
    old = make_version(version.bot, state=State.RETIRED, artifact_digest="2" * 64)
    notification_create(kind=BUILT, bot=version.bot, occasion="once", version=version.pk, number=1)
    trial_start(owner=alice, candidate=version, reference=old)
    make_table(make_player(alice, name="alice"), bot=version)
    KakomimasuGame.objects.create(
        waiting_user=alice, waiting_name="alice", board="A-1", agents=2, turns=30,
        operation_seconds=1, transition_seconds=1, seen_at=timezone.now(),
    )  # fmt: skip
    follow_begin(follower=alice, about=make_user("bob"))
    audit_write(actor=alice, act="probation_end", target="Moat v1")


def test_the_page_shows_every_sentence_and_leads_to_the_export(alice: User) -> None:
    text = signed_in(alice).get(CLOSE).text
    sentences = [words for section in export_sections() for words in (section.deleted, section.kept) if words]
    assert len(sentences) == 21
    assert [words for words in sentences if escape(str(words)) not in text] == []
    assert 'href="/accounts/data/"' in text


def test_a_team_keeps_its_bots_and_a_lone_member_takes_them_along(alice: User) -> None:
    contest, bob = make_contest(), make_user("bob")
    team = Team.objects.create(contest=contest, name="Rabbits", captain=alice)
    for user in (alice, bob):
        TeamMember.objects.create(contest=contest, team=team, user=user)
    plays = make_version(Bot.objects.create(owner=alice, team=team, contest=contest, game=GAME, name="Moat"))
    account_close(user=alice, actor=alice)
    plays.refresh_from_db()
    assert (plays.state, plays.bot.owner, plays.bot.team) == (State.ACTIVE, bob, team)
    account_close(user=bob, actor=bob)
    plays.refresh_from_db()
    assert (plays.state, BotVersion.objects.get(pk=plays.pk).bot.team) == (State.RETIRED, None)
    assert not Team.objects.exists()
