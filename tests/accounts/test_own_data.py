"""The export of personal data: complete, without secrets, in pieces; and its page."""

from __future__ import annotations

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.apps import apps
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from knox.models import AuthToken
from playwright.sync_api import Browser, expect
from pytest_django.fixtures import Settings

from accounts.exports import export_pieces, export_sections
from accounts.models import Notification, User
from accounts.services.audit import audit_write
from contests.models import Invitation, Member, Team, TeamMember
from kakomimasu_api.models import KakomimasuGame
from ladder.models import Bot, BotVersion, RatingPoint
from ladder.news import BUILT
from ladder.services.follows import follow_begin
from ladder.services.notifications import notification_create
from ladder.services.uploads import version_create
from matches.models import RemoteSeat
from matches.services.trials import trial_start
from tests.browsing import confirm, expect_fits_and_is_accessible, sign_in
from tests.contests.makers import make_contest
from tests.exhibitions.makers import make_player, make_table
from tests.ladder.makers import an_upload, make_rating, make_user, make_version
from tests.matches.makers import finish_match, make_match
from tests.tournaments.makers import make_tournament
from tests.two_factor import two_factor_on
from tests.visitors import signed_in
from webhooks.models import Hook
from webhooks.services.deliveries import delivery_test
from webhooks.services.hooks import hook_create
from workshop.services.drafts import draft_save
from workshop.services.tries import try_begin

pytestmark = pytest.mark.django_db

DATA, ZIP = "/accounts/data/", "/accounts/data.zip"


def exported(user: User) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Return the parsed JSON files of a user's export, and all files."""
    return unpacked(b"".join(export_pieces(user=user)))


def unpacked(data: bytes) -> tuple[dict[str, Any], dict[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.testzip() is None
        files = {name: archive.read(name) for name in archive.namelist()}
    return {name[:-5]: json.loads(content) for name, content in files.items() if name.endswith(".json")}, files


def test_it_tells_of_no_draft_and_not_how_far_a_bot_had_come(alice: User) -> None:
    version = make_version(Bot.objects.create(owner=alice, contest_id="kakomimasu", game="kakomimasu", name="Keep"))
    make_tournament("draft", entrants=[version], slug="draft")
    tournament = make_tournament("running", entrants=[version], slug="hidden", results="at_end")
    tournament.entrants.update(left="withdrawn", left_stage=1, left_round=2)
    (row,) = exported(alice)[0]["tournaments"]
    assert (row["left"], row["left_stage"], row["left_round"], row["place"]) == ("withdrawn", None, None, None)


def test_every_model_that_refers_to_a_person_is_in_the_export() -> None:
    """A new model with a foreign key to users needs a section: see ``accounts.exports``."""
    about = {
        model._meta.label
        for model in apps.get_models()
        for field in model._meta.get_fields(include_hidden=True)
        if getattr(field, "column", None) and field.related_model is User
    }
    through = {"accounts.User_groups", "accounts.User_user_permissions"}  # rights of administrators
    told = {label for section in export_sections() for label in section.models}
    assert about - told - through == set()
    assert all(apps.get_model(label) for label in told)


@pytest.fixture
def full(alice: User, enqueued: list[int]) -> User:
    """Alice, with a row in every section, and Bob with the same."""
    for user in (alice, make_user("bob")):
        name = user.username
        EmailAddress.objects.create(user=user, email=f"{name}@example.com", primary=True, verified=True)
        SocialAccount.objects.create(user=user, provider="github", uid=f"{name}-hub", extra_data={"name": name})
        two_factor_on(user)
        AuthToken.objects.create(user=user)
        delivery_test(hook=hook_create(owner=user, url=f"https://{name}.example/", groups=["build"]))
        audit_write(actor=user, act="probation_end", target=f"bot of {name}")
        contest = make_contest(f"cup-{name}")
        Member.objects.create(contest=contest, user=user, role=Member.Role.ORGANISER)
        team = Team.objects.create(contest=contest, name=f"Team {name}", captain=user)
        TeamMember.objects.create(contest=contest, team=team, user=user)
        Invitation.objects.create(
            contest=contest, created_by=user, expires_at=timezone.now() + timedelta(days=1), uses_max=3
        )
        version_create(owner=user, contest="kakomimasu", name=f"Bot {name}", upload=an_upload(f"# {name}".encode()))
        uploaded = BotVersion.objects.get(bot__owner=user)
        uploaded.state, uploaded.artifact_digest = BotVersion.State.ACTIVE, "1" * 64
        uploaded.lease_token = f"lease of {name}"
        uploaded.save()
        old = make_version(uploaded.bot, state=BotVersion.State.RETIRED, artifact_digest="2" * 64)
        make_rating(uploaded, 1_700)
        follow_begin(follower=user, about=uploaded.bot)
        RatingPoint.objects.create(version=uploaded, games=3, rating=1_650, standard_error=9, at=timezone.now())
        notification_create(kind=BUILT, bot=old.bot, occasion=name, version=old.pk, number=1)
        trial_start(owner=user, candidate=uploaded, reference=old)
        make_tournament("finished", entrants=[uploaded], slug=f"final-{name}", results="at_end")
    first, second = BotVersion.objects.filter(state="active").order_by("pk")
    finish_match(make_match(first, second))
    for user, version in ((alice, first), (second.bot.owner, second)):
        make_table(make_player(user, name=user.username), bot=version)
        draft_save(owner=user, contest=version.bot.contest, language="python", files={"main.py": f"# {user.username}"})
        try_begin(owner=user, contest="kakomimasu", language="python", files={"main.py": "pass"}, opponent=None, seat=0)
        KakomimasuGame.objects.create(
            waiting_user=user, waiting_name=user.username, board="A-1", agents=2, turns=30,
            operation_seconds=1, transition_seconds=1, seen_at=timezone.now(),
        )  # fmt: skip
    return alice


def test_the_export_holds_everything_of_one_person_and_nothing_of_others(full: User) -> None:
    tables, files = exported(full)
    sections = export_sections()
    assert {section.name for section in sections if section.rows} == set(tables)
    empty = {"admin_acts"}  # Alice is no administrator
    assert {name for name, rows in tables.items() if not rows} == empty
    assert tables["account"][0]["username"] == "alice"
    assert tables["addresses"][0]["email"] == "alice@example.com"
    assert [row["name"] for row in tables["bots"]] == ["Bot alice"]
    assert [(row["number"], row["state"], row["elo"]) for row in tables["versions"]] == [
        (1, "active", 1_700),
        (2, "retired", None),
    ]
    assert [row["match_kind"] for row in tables["results"]].count("ladder") == 1
    assert tables["teams"][0]["team_name"] == "Team alice"
    assert [row["name"] for row in tables["tables"]] == ["alice"]
    assert [(row["tournament_slug"], row["place"]) for row in tables["tournaments"]] == [("final-alice", None)]
    with zipfile.ZipFile(io.BytesIO(files[f"programs/{tables['bots'][0]['id']}/v1.zip"])) as program:
        assert program.read("main.py") == b"# alice"
    assert b"not stored here any more" in files[f"programs/{tables['bots'][0]['id']}/v2.txt"]
    everything = b"".join(content for name, content in files.items()).lower()
    assert b"bob" not in everything
    for section in sections:
        assert f"{section.name}{'/' if section.files else '.json'}: {section.title}" in files["README.txt"].decode()


def test_the_export_holds_no_secrets(full: User) -> None:
    """The attack: somebody finds the file on a disk, and signs in, plays for a worker or joins a private contest."""
    _, files = exported(full)
    everything = b"".join(files.values()).decode(errors="replace")
    secrets = [
        User.objects.get(pk=full.pk).password,
        *(str(value) for row in Authenticator.objects.filter(user=full) for value in row.data.values()),
        AuthToken.objects.get(user=full).digest,
        Invitation.objects.get(created_by=full).token,
        *(secret for hook in Hook.objects.filter(owner=full) for secret in (hook.nonce, hook.secret)),
        "lease of alice",
        RemoteSeat.objects.get(user=full).secret_hash,
    ]
    long = [secret for secret in secrets if len(secret) > 8]
    assert len(long) >= 7
    assert [secret for secret in long if secret in everything] == []
    assert "seed" not in everything


def test_many_rows_come_in_pieces_by_few_queries_each(alice: User) -> None:
    rows = (Notification(reader=alice, kind="built", occasion=str(i), values={"text": "x" * 300}) for i in range(2_600))
    Notification.objects.bulk_create(rows, batch_size=500)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        pieces = list(export_pieces(user=alice))
    assert max(map(len, pieces)) < 256 * 1024
    tables, _ = unpacked(b"".join(pieces))
    occasions = [int(row["occasion"]) for row in tables["notifications"]]
    assert occasions == list(range(2_600))
    assert sum("accounts_notification" in query["sql"] for query in queries) == 6


def test_a_browser_left_open_is_not_enough(alice: User, client: Client) -> None:
    cache.clear()
    here = signed_in(alice)
    for url in (DATA, ZIP):
        assert here.get(url).headers["Location"].startswith("/accounts/reauthenticate/")
        assert client.get(url).headers["Location"].startswith("/accounts/login/")


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_a_person_downloads_everything_after_the_password(
    browser: Browser, site_url: str, settings: Settings, enqueued: list[int]
) -> None:
    version_create(owner=make_user("alice"), contest="kakomimasu", name="Moat", upload=an_upload())
    settings.ACCOUNT_RATE_LIMITS = {"export": "1/h/user"}
    cache.clear()
    with browser.new_context(base_url=site_url, locale="en") as context:
        page = context.new_page()
        sign_in(page)
        page.goto("/mine/")
        page.get_by_role("link", name="My data").click()
        confirm(page)
        expect(page.get_by_role("heading", name="My data")).to_be_visible()
        expect_fits_and_is_accessible(page)
        with page.expect_download() as download:
            page.get_by_role("link", name="Download my data").click()
        tables, files = unpacked(download.value.path().read_bytes())
        assert tables["account"][0]["username"] == "alice"
        assert any(name.startswith("programs/") for name in files)
        page.goto("/accounts/data.zip")
        expect(page.get_by_role("heading", name="Too many tries")).to_be_visible()
