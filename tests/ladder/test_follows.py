"""What bots did, and who is notified of it: events of versions and fits, followers, bounds, who may know."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.translation import override
from pytest_django import DjangoAssertNumQueries

from accounts.models import Notification, User
from accounts.news_kinds import news_kind
from common.errors import InputError
from contests.models import Member, Team, TeamMember
from ladder.models import Bot, BotEvent, BotVersion, Follow, Rating
from ladder.news import BUILT, PLACE_LOST
from ladder.selectors.follows import events_followed
from ladder.services import events, follows
from ladder.services.events import event_new, events_create, events_forget, followers_notify
from ladder.services.follows import follow_begin, follow_end
from ladder.services.notifications import notification_create
from ladder.services.places import places_note
from ladder.services.standings import LeagueMove
from ladder.services.versions import version_transition
from tests.contests.makers import make_contest
from tests.ladder.makers import make_bot, make_user, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def happened(bot: Bot, occasion: str = "2026-11-28") -> None:
    """Let a bot lose the first place."""
    lost: dict[str, Any] = {"outcome": "first", "rank": 2, "before": 1}
    events_create([event_new(bot=bot, kind=PLACE_LOST, occasion=occasion, **lost)])


def texts(reader: User) -> list[str]:
    return [row.text for row in reader.notifications.filter(kind="followed").order_by("pk")]


# --- Following --------------------------------------------------------------------------------------------------------


def test_following_twice_is_following_once_and_ends_at_once(alice: User) -> None:
    bot = make_bot(owner=make_user("bob"))
    for about in (bot, bot, bot.owner, bot.owner):
        follow_begin(follower=alice, about=about)
    assert Follow.objects.count() == 2
    follow_end(follower=alice, about=bot.owner)
    assert Follow.objects.get().bot == bot


def test_nobody_follows_himself_or_more_than_the_limit(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="yourself"):
        follow_begin(follower=alice, about=alice)
    monkeypatch.setattr(follows, "FOLLOWS_MAX", 1)
    bot = make_bot(owner=make_user("bob"))
    for _ in range(2):  # who follows it already is not refused
        follow_begin(follower=alice, about=bot)
    with pytest.raises(InputError, match="1 bots and people"):
        follow_begin(follower=alice, about=make_user("carol"))


# --- What is noted ----------------------------------------------------------------------------------------------------


def test_an_accepted_version_is_noted_and_nobody_notified(alice: User) -> None:
    bot = make_bot(owner=make_user("bob"))
    follow_begin(follower=alice, about=bot)
    version = version_transition(
        version=make_version(bot, state=BotVersion.State.BUILDING, activated_at=None), to=BotVersion.State.ACTIVE
    )
    version_transition(version=version, to=BotVersion.State.PROBATION)
    version_transition(version=version, to=BotVersion.State.ACTIVE)
    event = events_followed(follower=alice).get()
    assert event.text == "Moat v1 plays now."
    assert followers_notify() == 0


@pytest.mark.parametrize(
    ("before", "rank", "told"),
    [
        (1, 2, "Moat lost the first place and has rank 2 now."),
        (10, 11, "Moat fell from rank 10 to rank 11, out of the first ten."),
        (2, 1, "Moat took the first place."),
        (None, 1, "Moat took the first place."),
        (1, 1, ""),
        (5, 10, ""),
        (12, 11, ""),
        (11, 12, ""),
        (1, None, ""),
        (None, 20, ""),
    ],
)
def test_a_fit_notes_who_leads_and_who_lost_a_place(
    before: int | None, rank: int | None, told: str, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    version, crowd = make_version(make_bot(owner=make_user("bob"))), make_bot("crowd", make_user("carol"))
    others = [make_version(crowd, state=BotVersion.State.RETIRED).pk for _ in range(20)]
    stood, stands = others.copy(), others.copy()
    for order, place in ((stood, before), (stands, rank)):
        if place:
            order.insert(place - 1, version.pk)
    earlier = [(pk, 20, place) for place, pk in enumerate(stood, start=1)]
    rows = [Rating(version_id=pk, games=20, rank=place) for place, pk in enumerate(stands, start=1)]
    led = {before, rank} & {1} and before != rank  # the crowd takes or loses the first place then, too
    for _ in range(2):  # a place that comes and goes is noted once a day
        with django_assert_num_queries(2 if told or led else 0):
            places_note(before=earlier, ratings=rows, moves=[])
    found = [event.text for event in version.bot.events.all()]
    assert found == [told] * bool(told)


def test_a_lucky_newcomer_takes_no_place_and_nobody_loses_one() -> None:
    champion, lucky = (make_version(make_bot(name, make_user(name))) for name in ("Champion", "Lucky"))
    stood = [(champion.pk, 300, 1)]
    rows = [Rating(version=lucky, games=19, rank=1), Rating(version=champion, games=300, rank=2)]
    places_note(before=stood, ratings=rows, moves=[])
    assert not BotEvent.objects.exists()
    rows[0].games = 20
    places_note(before=stood, ratings=rows, moves=[])
    assert set(BotEvent.objects.values_list("bot", "kind")) == {
        (lucky.bot_id, "leader"),
        (champion.bot_id, "place_lost"),
    }


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (1, 2, "Moat was promoted to the league Juryo."),
        (2, 1, "Moat went down to the league Makushita."),
        (None, 2, ""),
        (1, None, ""),
    ],
)
def test_a_fit_notes_leagues(before: int | None, after: int | None, told: str) -> None:
    bot = make_bot(owner=make_user("bob"))
    places_note(before=[], ratings=[], moves=[LeagueMove(bot, before, after)])
    found = [event.text for event in BotEvent.objects.all()]
    assert found == [told] * bool(told)


def test_every_kind_has_a_sentence_in_every_language() -> None:
    values: dict[str, Any] = {"name": "100 %s", "number": 3, "opponent": "Keep", "score": "20", "other_score": "19.5"}
    values |= {"rank": 2, "before": 1, "league": 1, "tournament": "Final", "place": 1, "entrants": 8}
    outcomes = {"close_match": ["level", "won", "lost"], "place_lost": ["first", "top", "league"]}
    for kind in ("version", "leader", "promoted", "tournament", *outcomes):
        for outcome in outcomes.get(kind, [""]):
            for language in ("en", "ja", "ru"):
                with override(language):
                    assert "100 %s" in news_kind(kind).text(values | {"outcome": outcome})


def test_old_events_and_their_notifications_are_deleted(alice: User) -> None:
    bot, old = make_bot(owner=alice), timezone.now() - timedelta(days=61)
    follow_begin(follower=make_user("bob"), about=bot)
    notification_create(kind=BUILT, bot=bot, occasion="once", version=1, number=1)
    for occasion in ("old", "new"):
        happened(bot, occasion)
        followers_notify()
        if occasion == "old":
            BotEvent.objects.update(at=old)
            Notification.objects.update(created_at=old)
    events_forget()
    assert BotEvent.objects.get().occasion == "new"
    told = {f"event {BotEvent.objects.get().pk}", "once"}  # those of the reader's own bots stay
    assert set(Notification.objects.values_list("occasion", flat=True)) == told


# --- Who is notified --------------------------------------------------------------------------------------------------


def test_followers_of_a_bot_and_of_its_owner_are_notified_once(alice: User) -> None:
    bob, carol = make_user("bob"), make_user("carol", mail_language="en")
    bot = make_bot(owner=bob)
    for about in (bot, bob):
        follow_begin(follower=alice, about=about)
    follow_begin(follower=carol, about=bob)
    happened(bot)
    happened(make_bot("Other", make_user("dave")))
    followers_notify()
    assert followers_notify() == 0
    assert texts(alice) == texts(carol) == ["Moat lost the first place and has rank 2 now."]
    assert Notification.objects.filter(reader=alice).get().url == f"/bots/{bot.pk}/"
    assert not Notification.objects.exclude(reader__in=[alice, carol]).exists()
    assert not Notification.objects.filter(mail_due=True).exists()


def test_followers_of_a_member_are_notified_of_the_bots_of_the_team(alice: User) -> None:
    bob, carol, cup = make_user("bob"), make_user("carol"), make_contest("cup", visibility="public")
    team = Team.objects.create(contest=cup, name="Rabbits", captain=bob)
    TeamMember.objects.create(contest=cup, team=team, user=carol)
    bot = Bot.objects.create(owner=bob, team=team, contest=cup, game=cup.game, name="Moat")
    follow_begin(follower=alice, about=carol)
    happened(bot)
    followers_notify()
    assert len(texts(alice)) == events_followed(follower=alice).count() == 1


@pytest.mark.parametrize(
    ("visibility", "member", "by_bot", "by_person"),
    [
        ("public", False, True, True),
        ("unlisted", False, True, False),
        ("unlisted", True, True, True),
        ("private", False, False, False),
        ("private", True, True, True),
    ],
)
def test_nobody_is_told_of_a_contest_that_he_may_not_see(
    alice: User, visibility: str, member: bool, by_bot: bool, by_person: bool
) -> None:
    """The attack: somebody follows a bot, leaves the private contest, and learns on how its board stands."""
    cup, carol = make_contest("cup", visibility=visibility), make_user("carol")
    bot = Bot.objects.create(owner=make_user("bob"), contest=cup, game=cup.game, name="Moat")
    if member:
        for user in (alice, carol):
            Member.objects.create(contest=cup, user=user)
    follow_begin(follower=alice, about=bot)
    follow_begin(follower=carol, about=bot.owner)
    happened(bot)
    followers_notify()
    assert [bool(texts(alice)), bool(texts(carol))] == [by_bot, by_person]
    assert [events_followed(follower=user).exists() for user in (alice, carol)] == [by_bot, by_person]


# --- What it costs ----------------------------------------------------------------------------------------------------


def test_the_followers_of_a_popular_bot_are_notified_step_by_step(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "FOLLOWERS_AT_ONCE", 4)
    popular, other = make_bot(owner=make_user("bob")), make_bot("Keep", make_user("dave"))
    for number in range(9):
        follow_begin(follower=User.objects.create(username=f"fan{number}"), about=popular)
    follow_begin(follower=alice, about=other)
    happened(popular)
    happened(other)
    assert [followers_notify() for _ in range(4)] == [4, 4, 2, 0]
    assert Notification.objects.filter(kind="followed").values("reader").distinct().count() == 10
    assert len(texts(alice)) == 1


def test_a_call_needs_as_many_queries_for_many_events_as_for_one(alice: User) -> None:
    counts = []
    for number in (1, 40):
        for each in range(number):
            bot = make_bot(f"Bot {number} {each}", User.objects.create(username=f"owner {number} {each}"))
            follow_begin(follower=alice, about=bot)
            happened(bot)
        with CaptureQueriesContext(
            connection,
        ) as asked:
            assert followers_notify() == number
        counts.append(len(asked))
    assert counts[0] == counts[1] <= 7, counts


def test_a_look_without_news_is_one_query(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(3):  # with the transaction
        followers_notify()
