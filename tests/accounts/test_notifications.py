"""Notifications: one for each event, in the reader's language, visible to that reader only."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier, BrokenBarrierError
from typing import Any

import pytest
from django.contrib.admin.sites import site as admin_site
from django.db import connection
from django.test import Client
from django.urls import resolve, reverse
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from accounts.models import Notification, User
from accounts.news_kinds import NewsKind, notification_choices
from accounts.selectors.notifications import unread_count
from accounts.services.notifications import notifications_read
from common.errors import IllegalTransition, InputError
from ladder.models import Bot, BotVersion, Rating
from ladder.news import BUILT, NOT_BUILT, REJECTED
from ladder.services import builds, uploads, versions
from ladder.services.notifications import notification_create
from ladder.services.standings import leagues_update, standings_fill
from ladder.services.uploads import version_create
from ladder.services.versions import version_disqualify, version_transition
from matches.models import Trial
from tests.ladder.makers import DIGEST, an_upload, make_bot, make_rating, make_user, make_version
from tests.visitors import signed_in

pytestmark = [pytest.mark.database, pytest.mark.django_db]

State = BotVersion.State


def tell(bot: Bot, occasion: str = "once") -> None:
    notification_create(kind=BUILT, bot=bot, occasion=occasion, version=7, number=3, outcome="plays")


def kinds(reader: User) -> list[str]:
    return list(reader.notifications.order_by("pk").values_list("kind", flat=True))


# --- What is notified -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("to", "kind", "words"),
    [
        (State.ACTIVE, BUILT, "Moat v1 is active"),
        (State.REJECTED, REJECTED, "Moat v1 was rejected"),
        (State.FAILED, NOT_BUILT, "We could not build Moat v1"),
    ],
)
def test_the_end_of_a_build_is_notified(alice: User, to: State, kind: NewsKind, words: str) -> None:
    version = make_version(make_bot(owner=alice), state=State.BUILDING, lease_token="t")
    version_transition(version=version, to=to)
    told = Notification.objects.get()
    assert (told.reader, told.kind) == (alice, kind.name)
    assert told.text.startswith(words)
    assert told.url == reverse("ladder:version", args=[version.pk])


def test_each_failure_of_a_build_is_notified_once(alice: User) -> None:
    version = make_version(make_bot(owner=alice), state=State.BUILDING, lease_token="first")
    version_transition(version=version, to=State.FAILED)
    with pytest.raises(IllegalTransition):
        version_transition(version=version, to=State.FAILED)
    BotVersion.objects.update(state=State.BUILDING, lease_token="second")
    version_transition(version=version, to=State.FAILED)
    assert kinds(alice) == ["not_built", "not_built"]


def test_the_notification_of_a_late_build_says_that_it_does_not_play(alice: User) -> None:
    bot = make_bot(owner=alice)
    late = make_version(bot, state=State.BUILDING)
    make_version(bot)
    version_transition(version=late, to=State.ACTIVE)
    assert "does not play" in Notification.objects.get().text


def test_a_withdrawal_by_an_administrator_is_notified(alice: User) -> None:
    version = make_version(make_bot(owner=alice))
    version_disqualify(version=version, reason="It plays for another bot.")
    told = Notification.objects.get()
    assert (told.reader, told.text) == (
        alice,
        "An administrator has withdrawn Moat v1. Its page says why.",
    )
    assert told.url == reverse("ladder:version", args=[version.pk])
    with pytest.raises(InputError):
        version_disqualify(version=version, reason="")
    version_transition(version=make_version(version.bot), to=State.RETIRED)
    assert kinds(alice) == ["withdrawn"], "a withdrawal by the owner is not notified"


def test_a_promotion_is_notified_and_a_demotion_is_not(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 4)
    house = make_user("house")
    for name, rating in (("weak", 1_000.0), ("middle", 1_500.0), ("strong", 2_000.0)):
        make_rating(make_version(make_bot(name, house, is_house=True, declared_rating=rating)), rating)
    bot = make_bot(owner=alice)
    row = make_rating(make_version(bot), 1_700.0)

    def fit(rating: float) -> None:
        row.rating = rating
        ratings = [*Rating.objects.exclude(pk=row.pk), row]
        standings_fill(contest="kakomimasu", ratings=ratings)
        leagues_update(contest="kakomimasu", ratings=ratings)

    for rating in (1_700.0, 1_700.0, 900.0, 1_700.0):
        fit(rating)
    told = Notification.objects.order_by("pk")
    assert [row.kind for row in told] == ["promoted", "promoted"]
    assert told[0].text == "Moat was promoted to the league Juryo."
    assert told[0].url == reverse("ladder:bot", args=[bot.pk])
    assert not house.notifications.exists()


def test_administrators_are_notified_about_house_bots_that_need_them(alice: User) -> None:
    staff = make_user("root admin", is_staff=True, is_superuser=True)
    bot = make_bot("House", make_user("house"), is_house=True, declared_rating=1_000.0)
    version_transition(version=make_version(bot, state=State.BUILDING), to=State.ACTIVE, artifact_digest=DIGEST)
    broken = version_transition(version=make_version(bot, state=State.BUILDING), to=State.REJECTED)
    told = Notification.objects.get()
    assert (told.reader, told.kind) == (staff, "rejected")
    assert resolve(told.url).func.model_admin is admin_site._registry[BotVersion]  # type: ignore[attr-defined]
    client = signed_in(staff)
    assert client.get(told.url).status_code == 200
    assert str(broken.pk) in told.url


def test_one_occasion_is_notified_once(alice: User) -> None:
    bot = make_bot(owner=alice)
    for occasion in ("once", "once", "again"):
        tell(bot, occasion)
    assert kinds(alice) == ["built", "built"]


def test_every_kind_has_a_sentence_and_a_url_in_every_language(alice: User) -> None:
    version = make_version(make_bot("100 %s", alice))
    values = {"bot": version.bot_id, "name": "100 %s", "is_house": False, "version": version.pk, "number": 1}
    values |= {"league": 2, "trial": 5, "reference": 2}
    values |= {"tournament": "Final", "contest_place": "games/puyo", "slug": "final", "place": 1, "entrants": 16}
    values |= {"contest": "Spring cup", "event": "place_lost", "rank": 2, "host": "100 %s.example", "failures": 20}
    outcomes = {
        "built": ["plays", ""],
        "trial_ended": ["better", "worse", "no_difference", "stopped"],
        "tournament_left": ["withdrawn", "disqualified"],
        "followed": ["first"],
        "contest_over": ["", "unplaced"],
    }
    for kind, _title in notification_choices():
        for outcome in outcomes.get(kind, [""]):
            told = Notification(kind=kind, values=values | {"outcome": outcome})
            for language in ("en", "ja", "ru"):
                with override(language):
                    assert "100 %s" in told.text
            assert resolve(told.url)


@pytest.mark.django_db(transaction=True)
def test_an_upload_does_not_hinder_the_end_of_a_build(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """The upload locks the user, then the bot; the build locks the bot, then notifies the user: no deadlock."""
    monkeypatch.setattr(builds, "queue_announce", lambda: None)
    version = make_version(make_bot("Moat", alice), state=State.BUILDING)
    both_locked, check_quotas = Barrier(2), uploads.check_quotas

    def wait() -> None:
        with suppress(BrokenBarrierError):  # in SQLite, where one writes at a time
            both_locked.wait(timeout=1)

    def user_is_locked(*args: Any) -> None:
        wait()
        check_quotas(*args)

    def bot_is_locked(**about: Any) -> None:
        wait()
        notification_create(**about)

    monkeypatch.setattr(uploads, "check_quotas", user_is_locked)
    monkeypatch.setattr(versions, "notification_create", bot_is_locked)

    def reject(_: int) -> str:
        try:
            return version_transition(version=version, to=State.REJECTED).state
        finally:
            connection.close()

    def upload(_: int) -> str:
        try:
            return version_create(owner=alice, contest="kakomimasu", name="Moat", upload=an_upload()).state
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        ends = [pool.submit(act, 0) for act in (upload, reject)]
    assert [end.result() for end in ends] == ["uploaded", "rejected"]
    assert kinds(alice) == ["rejected"]


# --- Who reads it -----------------------------------------------------------------------------------------------------


def test_the_page_lists_notifications_and_marks_all_as_read(alices: Client, alice: User) -> None:
    bot = make_bot(owner=alice)
    for number in range(35):
        tell(bot, str(number))
    page = alices.get("/notifications/").content.decode()
    assert page.count('class="notification-built is-new"') == 30
    assert '<span class="bell-count num">35' in page
    assert alices.get("/notifications/?page=2").content.decode().count("is-new") == 5
    assert alices.post("/notifications/read/").status_code == 302
    page = alices.get("/notifications/").content.decode()
    assert "is-new" not in page
    assert "bell-count" not in page


@pytest.mark.parametrize("of", ["version", "trial"])
def test_parts_of_a_page_that_are_fetched_again_include_the_bell(alices: Client, alice: User, of: str) -> None:
    """The part of the page that shows an active bot or an ended test also shows the new notification."""
    bot = make_bot(owner=alice)
    first, second = make_version(bot=bot, state=State.RETIRED), make_version(bot=bot)
    trial = Trial.objects.create(candidate=second, reference=first, game=bot.game, owner=alice, games_max=2)
    shown, asked = {
        "version": (f"/versions/{first.pk}/", f"/versions/{first.pk}/progress/"),
        "trial": (f"/trials/{trial.pk}/", f"/trials/{trial.pk}/progress/"),
    }[of]
    assert alices.get(shown).text.count('id="bell"') == 1
    assert "hx-swap-oob" not in alices.get(shown).text
    tell(bot)
    part = alices.get(asked, headers={"HX-Request": "true"}).text
    assert 'id="bell" hx-swap-oob="true"' in part
    assert '<span class="bell-count num">1<' in part


def test_following_a_notification_marks_it_as_read(alices: Client, alice: User) -> None:
    bot = make_bot(owner=alice)
    tell(bot)
    tell(bot, "again")
    pk = Notification.objects.earliest("pk").pk
    assert alices.head(f"/notifications/{pk}/").status_code == 302
    assert unread_count(reader=alice) == 2
    answer = alices.get(f"/notifications/{pk}/")
    assert answer["Location"] == reverse("ladder:version", args=[7])
    assert unread_count(reader=alice) == 1


def test_nobody_sees_or_reads_other_peoples(alices: Client, alice: User, client: Client) -> None:
    tell(make_bot(owner=make_user("bob")))
    pk = Notification.objects.get().pk
    assert alices.get(f"/notifications/{pk}/").status_code == 404
    assert "Moat" not in alices.get("/notifications/").content.decode()
    alices.post("/notifications/read/")
    assert Notification.objects.filter(read_at=None).exists()
    for url in ("/notifications/", f"/notifications/{pk}/"):
        assert client.get(url)["Location"].startswith("/accounts/login/")
    assert client.post("/notifications/read/").status_code == 302
    assert Notification.objects.filter(read_at=None).exists()


def test_the_time_of_reading_is_the_first_one(alice: User) -> None:
    tell(make_bot(owner=alice))
    assert notifications_read(reader=alice) == 1
    first = Notification.objects.get().read_at
    assert notifications_read(reader=alice) == 0
    assert Notification.objects.get().read_at == first


# --- What it costs ----------------------------------------------------------------------------------------------------


def test_a_page_for_somebody_costs_two_queries_more(
    alices: Client, alice: User, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tell(make_bot(owner=alice))
    assert "bell-count" in alices.get("/games/").content.decode()
    client.get("/games/kakomimasu/guide/")
    with django_assert_num_queries(0):
        client.get("/api/v1/games/")
    with django_assert_num_queries(2):  # session, user with the count
        alices.get("/nowhere/")


def test_a_deactivated_user_is_anonymous(alices: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    assert alices.get("/notifications/").status_code == 302
