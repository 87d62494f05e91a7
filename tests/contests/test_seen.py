"""Who sees which contest: one table of what docs/organise/visibility.md says, asked of every selector."""

from __future__ import annotations

from itertools import product

import pytest
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from accounts.access import Reader
from common.errors import InputError
from common.queries.cached import cached_clear
from contests.converters import ContestConverter
from contests.headers import ContestHeaders, page_contest, page_contest_set
from contests.models import Contest, Member, Team, TeamMember
from contests.selectors.contests import (
    contest_at,
    contest_choices,
    contest_named,
    contest_seen,
    contests_open,
    contests_played,
    contests_shown,
    contests_visible,
    entry_check,
)
from contests.selectors.pages import FRONT_MAX, contest_list, contest_people, contests_exist, contests_in_front
from contests.selectors.visibility import (
    contest_is_seen,
    contest_key_is_seen,
    contests_hidden,
    contests_public,
    is_contest_key,
    public_keys,
)
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db
State, Visibility = Contest.State, Contest.Visibility
ROLES = ("guest", "stranger", "participant", "organiser", "administrator")


def is_seen(role: str, visibility: str, state: str) -> bool:
    """Return whether a reader may open a contest by its url."""
    if role in ("organiser", "administrator"):
        return True
    return state != State.DRAFT and (visibility != Visibility.PRIVATE or role == "participant")


def is_shown(role: str, visibility: str, state: str) -> bool:
    """Return whether lists name a contest to a reader."""
    if role in ("organiser", "administrator"):
        return True
    return state != State.DRAFT and (visibility == Visibility.PUBLIC or role == "participant")


@pytest.fixture
def readers() -> dict[str, Reader]:
    return {
        "guest": AnonymousUser(),
        "stranger": make_user("stranger"),
        "participant": make_user("participant"),
        "organiser": make_user("organiser"),
        "administrator": make_user("administrator", is_staff=True),
    }


@pytest.fixture
def contests(readers: dict[str, Reader]) -> list[Contest]:
    """A contest of each visibility and state, with an organiser and a participant."""
    made = [
        make_contest(f"{visibility}-{state}", title=f"The {visibility} {state}", visibility=visibility, state=state)
        for visibility, state in product(Visibility, State)
    ]
    for contest, role in product(made, (Member.Role.PARTICIPANT, Member.Role.ORGANISER)):
        Member.objects.create(contest=contest, user_id=readers[role].pk, role=role)
    cached_clear()
    return made


@pytest.mark.parametrize("role", ROLES)
def test_each_reader_opens_what_the_table_says(role: str, readers: dict[str, Reader], contests: list[Contest]) -> None:
    reader = readers[role]
    visible = set(contests_visible(reader=reader))
    for contest in contests:
        expected = is_seen(role, contest.visibility, contest.state)
        assert (contest in visible) is expected, contest.slug
        assert contest_is_seen(contest, reader=reader) is expected, contest.slug
        assert contest_key_is_seen(contest.slug, reader=reader) is expected, contest.slug
        assert (contest_seen(slug=contest.slug, reader=reader) == contest) is expected, contest.slug
        assert (contest_at(place=contest.place, reader=reader) == contest) is expected, contest.slug
        assert dict(contest_choices(named=contest.slug, reader=reader)).get(contest.slug) == (
            contest.title if expected else None
        )


@pytest.mark.parametrize("role", ROLES)
def test_lists_name_to_each_reader_what_the_table_says(
    role: str, readers: dict[str, Reader], contests: list[Contest]
) -> None:
    reader = readers[role]
    expected = {each.slug for each in contests if is_shown(role, each.visibility, each.state)}
    keys = {each.slug for each in contests}
    assert {each.slug for each in contests_shown(reader=reader)} & keys == expected
    assert dict(contest_choices(named="", reader=reader)).keys() & keys == expected
    found = contest_list(reader=reader)
    assert {each.slug for each in (*found.running, *found.coming, *found.over)} == expected
    assert {each.state for each in found.coming} <= {State.DRAFT}
    assert all(each.is_over for each in found.over)
    hidden = {each.slug for each in contests_hidden(reader=reader)}
    assert hidden | set(public_keys()) >= expected
    assert hidden & keys <= expected


@pytest.mark.parametrize("role", ROLES)
def test_nobody_acts_where_he_may_not_look(role: str, readers: dict[str, Reader], contests: list[Contest]) -> None:
    for contest in contests:
        if is_seen(role, contest.visibility, contest.state):
            entry_check(contest=contest.slug, reader=readers[role])
        else:
            with pytest.raises(InputError, match="There is no such contest here"):
                entry_check(contest=contest.slug, reader=readers[role])


def test_a_list_for_everybody_tells_as_much_as_one_for_guests(contests: list[Contest]) -> None:
    for contest in contests:
        expected = is_seen("guest", contest.visibility, contest.state)
        assert contest_key_is_seen(contest.slug, reader=None) is expected
        assert contest.is_for_everybody is expected


def test_an_account_that_was_disabled_sees_what_guests_see(readers: dict[str, Reader], contests: list[Contest]) -> None:
    chief = readers["administrator"]
    assert not isinstance(chief, AnonymousUser)
    chief.is_active = False
    chief.save()
    shown = {each.slug for each in contests_shown(reader=chief)}
    assert shown & {each.slug for each in contests} == {
        each.slug for each in contests if is_shown("stranger", each.visibility, each.state)
    }


@pytest.mark.parametrize("key", ["", "a\0", "a/b", "a b", "..", "-", "ä\0", "%", "x" * 5_000 + "\0"])
def test_what_is_no_key_asks_the_database_nothing(key: str, django_assert_num_queries: object) -> None:
    contests_public()
    assert not is_contest_key(key)
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert contest_seen(slug=key, reader=AnonymousUser()) is None
        assert not contest_key_is_seen(key, reader=AnonymousUser())
        assert key not in dict(contest_choices(named=key, reader=AnonymousUser()))


def test_contests_of_a_game_that_is_not_offered_are_in_no_list(settings: Settings) -> None:
    puyo = make_contest("rain", game="puyo", visibility="public")
    settings.GAMES = [game for game in settings.GAMES if game != "puyo"]
    cached_clear()
    assert contest_named(slug=puyo.slug) is None
    assert contest_at(place=puyo.place, reader=AnonymousUser()) is None
    assert "rain" not in dict(contest_choices(named="rain", reader=AnonymousUser()))
    assert "rain" not in contests_played()
    assert "puyo" not in {contest.slug for contest in contests_open()}
    assert not contest_list(reader=AnonymousUser())


def test_open_contests_have_their_own_urls() -> None:
    guest = AnonymousUser()
    assert contest_at(place="games/kakomimasu", reader=guest) == Contest.objects.get(pk="kakomimasu")
    for place in ("contests/kakomimasu", "games/unknown", "games/", "contests/unknown", "kakomimasu"):
        assert contest_at(place=place, reader=guest) is None
    make_contest("spring", visibility="public")
    assert contest_at(place="games/spring", reader=guest) is None
    converter = ContestConverter()
    assert [converter.to_url(each) for each in (*Contest.objects.filter(slug="spring"), "games/x")] == [
        "contests/spring",
        "games/x",
    ]
    assert converter.to_python("contests/spring") == "contests/spring"


def test_matches_are_made_in_all_but_drafts_and_archives(contests: list[Contest]) -> None:
    played = set(contests_played())
    assert {each.slug for each in contests} & played == {
        each.slug for each in contests if each.state not in (State.DRAFT, State.ARCHIVED)
    }


@pytest.mark.parametrize("visibility", Visibility)
@pytest.mark.parametrize("state", [State.DRAFT, State.OPEN])
def test_proxies_and_search_engines_are_told_what_is_not_public(visibility: str, state: str) -> None:
    contest = make_contest(visibility=visibility, state=state)
    request = RequestFactory().get("/")
    middleware = ContestHeaders(lambda request: HttpResponse())
    assert page_contest(request) is None
    plain = middleware.process_response(request, HttpResponse(headers={"Cache-Control": "public"}))
    assert (plain["Cache-Control"], "X-Robots-Tag" in plain) == ("public", False)
    page_contest_set(request, contest)
    answer = middleware.process_response(request, HttpResponse(headers={"Cache-Control": "public, max-age=5"}))
    is_public = is_seen("guest", visibility, state)
    assert ("public" in answer["Cache-Control"], "private" in answer["Cache-Control"]) == (is_public, not is_public)
    assert answer.get("X-Robots-Tag") == (None if visibility == Visibility.PUBLIC else "noindex")
    kept = middleware.process_response(request, HttpResponse(headers={"Cache-Control": "no-store"}))
    assert kept["Cache-Control"] == "no-store"


def test_the_front_page_shows_own_contests_first_and_few() -> None:
    alice = make_user("alice")
    assert not contests_exist()
    for number in range(FRONT_MAX + 2):
        make_contest(f"cup-{number}", visibility="public")
    own = make_contest("own", visibility="unlisted")
    make_contest("over", visibility="public", state=State.FROZEN)
    Member.objects.create(contest=own, user=alice)
    cached_clear()
    assert contests_exist()
    mine = contests_in_front(reader=alice)
    assert (len(mine), mine[0]) == (FRONT_MAX, own)
    others = contests_in_front(reader=AnonymousUser())
    assert len(others) == FRONT_MAX
    assert not {own.slug, "over"} & {contest.slug for contest in others}


def test_a_contest_names_its_organisers_and_the_readers_part() -> None:
    contest = make_contest()
    users = {name: make_user(name) for name in ("first", "second", "player")}
    for name, role in (("first", "organiser"), ("player", "participant"), ("second", "organiser")):
        Member.objects.create(contest=contest, user=users[name], role=role)
    team = Team.objects.create(contest=contest, name="Both", captain=users["player"])
    TeamMember.objects.create(contest=contest, team=team, user=users["player"])
    for reader, role, organises in (
        (users["player"], "participant", False),
        (users["second"], "organiser", True),
        (make_user("stranger"), "", False),
        (AnonymousUser(), "", False),
    ):
        found = contest_people(contest=contest, reader=reader)
        assert [user.username for user in found.organisers] == ["first", "second"]
        assert (found.role, found.is_organiser) == (role, organises)
