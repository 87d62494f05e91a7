"""News of bots: the sentences of each kind, whom they reach, and the steps and errors that owners read."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings as django_settings
from django.utils.translation import override

from accounts.models import Notification, User
from accounts.news_kinds import NewsKind, filled, news_kind, notification_choices, topic_choices
from contests.models import Contest, Member
from contests.services.teams import team_create, team_join
from ladder import news
from ladder.leagues import NAMES, league_name
from ladder.models import Bot, BotEvent, BotVersion
from ladder.selectors.builds import ERROR_CHARS_MAX, STDERR, builds_in_time, builds_nobody_awaits, last_error
from ladder.services.events import event_new, events_create, today
from ladder.services.notifications import BotNews, notification_create, notifications_create
from ladder.words.progress import FINAL_STATES, progress_steps
from tests.contests.makers import make_contest
from tests.ladder.makers import make_bot, make_user, make_version

State = BotVersion.State
ALL: dict[str, Any] = {
    "bot": 3,
    "name": "Moat",
    "is_house": False,
    "version": 7,
    "number": 2,
    "contest": "Spring cup",
    "contest_place": "contests/spring",
    "place": 1,
    "entrants": 9,
    "before": 1,
    "rank": 12,
    "league": 2,
    "event": "leader",
}
SAID: list[tuple[NewsKind, str, str, str]] = [
    (news.BUILT, "", "Moat v2 was built but does not play. Its page says why.", "/versions/7/"),
    (news.BUILT, "plays", "Moat v2 is active: it was built, and has played its check match.", "/versions/7/"),
    (news.REJECTED, "", "Moat v2 was rejected. Its page says why and what to try.", "/versions/7/"),
    (news.WITHDRAWN, "organiser", "An organiser has disqualified Moat v2. Its page says why.", "/versions/7/"),
    (news.CONTEST_OVER, "", "The contest Spring cup is over: Moat came in place 1 of 9.", "/contests/spring/"),
    (news.FOLLOWED, "", "Moat took the first place.", "/bots/3/"),
    (news.VERSION, "", "Moat v2 plays now.", "/bots/3/"),
    (news.PLACE_LOST, "first", "Moat lost the first place and has rank 12 now.", "/bots/3/"),
    (news.PLACE_LOST, "top", "Moat fell from rank 1 to rank 12, out of the first ten.", "/bots/3/"),
    (news.PLACE_LOST, "league", "Moat went down to the league Juryo.", "/bots/3/"),
    (news.PROMOTED, "", "Moat was promoted to the league Juryo.", "/bots/3/"),
]


@pytest.mark.parametrize(("kind", "outcome", "sentence", "url"), SAID)
def test_a_kind_says_what_has_happened_and_where(kind: NewsKind, outcome: str, sentence: str, url: str) -> None:
    values = ALL | {"outcome": outcome}
    assert (kind.text(values), kind.url(values)) == (sentence, url)


@pytest.mark.parametrize("language", [code for code, _name in django_settings.LANGUAGES])
def test_every_sentence_is_filled_in_every_language(language: str) -> None:
    with override(language):
        for kind, outcome, _sentence, _url in SAID:
            said = kind.text(ALL | {"outcome": outcome})
            assert "%(" not in said
            assert "Moat" in said


def test_administrators_are_led_to_pages_that_they_may_open() -> None:
    house = ALL | {"is_house": True}
    for kind in (news.REJECTED, news.NOT_BUILT):
        assert kind.url(house) == "/admin/ladder/botversion/7/change/"
        assert kind.for_staff
    assert news.PROBATION.url(house) == "/bots/3/"
    assert news.PROBATION.url(ALL) == "/versions/7/"


def test_kinds_are_found_by_name_and_those_with_a_title_are_notified() -> None:
    kinds = [value for value in vars(news).values() if isinstance(value, NewsKind)]
    assert [news_kind(kind.name) for kind in kinds] == kinds
    titles = dict(notification_choices())
    assert {kind.name for kind in kinds if kind.title} <= titles.keys()
    assert not {news.VERSION.name, news.LEADER.name} & titles.keys()
    topics = [topic.name for topic in topic_choices()]
    assert topics == list(dict.fromkeys(topics))
    assert {kind.topic.name for kind in kinds if kind.topic} <= set(topics)
    assert all(len(kind.name) <= 20 for kind in kinds)
    with pytest.raises(KeyError):
        news_kind("unknown")


def test_a_sentence_without_its_outcome_is_the_first() -> None:
    text = filled("%(name)s ended.", won="%(name)s won.")
    assert [text({"name": "A", **more}) for more in ({}, {"outcome": ""}, {"outcome": "won"})] == [
        "A ended.",
        "A ended.",
        "A won.",
    ]


def test_leagues_have_names_and_none_has_none() -> None:
    assert [league_name(number) for number in range(len(NAMES))] == list(NAMES)
    assert league_name(None) == ""


# --- Whom they reach ------------------------------------------------------------------------------------------------


def readers(kind: NewsKind) -> set[str]:
    return set(Notification.objects.filter(kind=kind.name).values_list("reader__username", flat=True))


@pytest.mark.django_db
def test_owners_members_and_administrators_are_notified_of_theirs(alice: User) -> None:
    contest = make_contest(visibility="public")
    bob = make_user("bob")
    make_user("chief", is_staff=True)
    make_user("former", is_staff=True, is_active=False)
    team = team_create(contest=contest, user=alice, name="Both")
    Member.objects.create(contest=contest, user=bob)
    team_join(team=team, user=bob)
    joint = Bot.objects.create(owner=alice, team=team, contest=contest, game=contest.game, name="Joint")
    alone, house = make_bot("Alone", make_user("carol")), make_bot("House", make_user("house"), is_house=True)
    every = [BotNews(bot, "an occasion", {"version": 1, "number": 1}) for bot in (joint, alone, house)]
    notifications_create(kind=news.NOT_BUILT, news=every)
    assert readers(news.NOT_BUILT) == {"alice", "bob", "carol", "chief"}
    notifications_create(kind=news.PROMOTED, news=every)
    assert readers(news.PROMOTED) == {"alice", "bob", "carol"}, "nobody has to act about a house bot"
    contest.state = Contest.State.ARCHIVED
    contest.save()
    notifications_create(kind=news.BUILT, news=every)
    assert readers(news.BUILT) == {"carol"}, "an archived contest is over for everybody"


@pytest.mark.django_db
def test_an_event_is_told_once_and_by_mail_to_those_who_want_it(alice: User) -> None:
    bot = make_bot("Moat", alice)
    for _ in range(2):
        notification_create(kind=news.BUILT, bot=bot, occasion="version 1", version=1, number=1)
    told = Notification.objects.get()
    assert (told.mail_due, told.values["name"], told.values["bot"]) == (False, "Moat", bot.pk)
    User.objects.update(mail_language="ja")
    notification_create(kind=news.BUILT, bot=bot, occasion="version 2", version=2, number=2)
    assert [each.mail_due for each in Notification.objects.order_by("pk")] == [False, True]


@pytest.mark.django_db
def test_a_bot_has_one_event_of_a_kind_for_an_occasion() -> None:
    bot = make_bot()
    events_create([event_new(bot=bot, kind=news.LEADER, occasion=today()) for _ in range(2)])
    events_create([event_new(bot=bot.pk, kind=news.LEADER, occasion=today())])
    events_create([event_new(bot=bot, kind=news.PLACE_LOST, occasion=today(), outcome="first", rank=2)])
    events_create([])
    found = {event.kind: event for event in BotEvent.objects.all()}
    assert found.keys() == {"leader", "place_lost"}
    assert (found["leader"].followers_after, found["place_lost"].followers_after) == (None, 0)
    assert found["place_lost"].text == "Moat lost the first place and has rank 2 now."
    assert found["place_lost"].url == f"/bots/{bot.pk}/"


# --- What owners read of their builds -------------------------------------------------------------------------------


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("state", "step", "steps"),
    [
        (State.RECEIVED, "", "busy waiting waiting waiting"),
        (State.UPLOADED, "", "done waiting waiting waiting"),
        (State.BUILDING, "compile", "done busy waiting waiting"),
        (State.BUILDING, "check", "done done busy waiting"),
        (State.REJECTED, "compile", "done bad waiting waiting"),
        (State.REJECTED, "check", "done done bad waiting"),
        (State.FAILED, "fetch", "done bad waiting waiting"),
        (State.ACTIVE, "check", "done done done done"),
        (State.PROBATION, "check", "done done done done"),
        (State.RETIRED, "check", "done done done done"),
    ],
)
def test_the_steps_to_the_board(state: str, step: str, steps: str) -> None:
    version = make_version(state=state, step=step, bundle_digest="" if state == State.RECEIVED else "d" * 64)
    if state == State.PROBATION:
        BotVersion.objects.update(activated_at=version.created_at)
        version.refresh_from_db()
    assert " ".join(each.state for each in progress_steps(version)) == steps
    assert (version.state in FINAL_STATES) is (state not in (State.RECEIVED, State.UPLOADED, State.BUILDING))


@pytest.mark.parametrize(
    ("log", "error"),
    [
        ("", ""),
        ("one\ntwo\n", "two"),
        (f"built\n{STDERR}first\nlast\n\n--- Result ---\nmore", "last"),
        (f"built\n{STDERR}", ""),
        (STDERR + "x" * 1_000, "x" * ERROR_CHARS_MAX),
    ],
)
def test_the_last_error_of_a_log(log: str, error: str) -> None:
    assert last_error(log=log) == error


@pytest.mark.django_db
def test_builds_that_would_not_play_wait_for_those_that_will() -> None:
    bot = make_bot()
    old, new = (make_version(bot, state=State.UPLOADED) for _ in range(2))
    house = make_version(make_bot("House", is_house=True), state=State.UPLOADED)
    unawaited = BotVersion.objects.filter(builds_nobody_awaits())
    assert set(unawaited) == {old, house}
    BotVersion.objects.filter(pk=new.pk).update(state=State.REJECTED)
    assert set(unawaited.all()) == {house}, "the older one is awaited again"


@pytest.mark.django_db
def test_what_came_before_the_freeze_is_built_in_time() -> None:
    in_time, built = make_version(make_bot(), state=State.RECEIVED), make_version(make_bot("Built"))
    contest = in_time.bot.contest
    contest.frozen_at = in_time.received_at
    assert list(builds_in_time(contest=contest)) == [in_time]
    late = make_version(make_bot("Late"), state=State.UPLOADED)
    assert late.received_at > in_time.received_at
    assert list(builds_in_time(contest=contest)) == [in_time]
    contest.frozen_at = None
    assert set(builds_in_time(contest=contest)) == {in_time, late}
    assert built.state == State.ACTIVE
