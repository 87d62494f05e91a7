"""Every page of the site on a phone: none is wider than the screen, however long its names and tables are."""

from __future__ import annotations

import re
from asyncio import iscoroutinefunction
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus

import pytest
from django.urls import URLResolver, get_resolver, reverse
from django.utils import timezone
from playwright.sync_api import Browser, Page
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from contests.models import Invitation, Member, Team, TeamMember
from core.message import said, stored
from ladder.models import Announcement, Bot, BotVersion, RatingPoint
from matches.models import HeadToHead, Result
from tests.api.conftest import Arena
from tests.browsing import sign_in
from tests.contests.makers import make_contest
from tests.ladder import makers
from tests.matches.makers import finish_match, make_match, make_records, store_replay
from tests.tournaments.played import make_drawn, make_field, play_rounds
from tournaments.models import Entrant
from wire.turnlog import LoggedTurn, pack

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "An extraordinarily long name of a bot 40"
RIVALS = 12
FITS = "document.documentElement.scrollWidth <= innerWidth"

NOT_THERE = {"tournaments:show_match", "matches:final_board", "downloads:results", "downloads:replays"}
"""URLs that are not found in the arena of this test; none of them is of a page."""
STREAMS = ("data_download",)
"""URLs besides those of asynchronous views whose answer the server of this test does not send piece by piece."""


@pytest.fixture
def full(arena: Arena) -> Arena:
    """Return the arena with long names, rows in all its tables, and all else that makes pages wide."""
    User.objects.filter(pk=arena.owner.pk).update(is_staff=True)  # administrators see all pages
    Bot.objects.filter(pk=arena.bot.pk).update(name=LONG)
    for number in range(RIVALS):
        rival = makers.make_version(makers.make_bot(f"A rival of a rather long name {number}", arena.stranger))
        makers.make_rating(rival, 1_400.0 + 20 * number)
        met = {"games": 1_234, "wins": 600, "draws": 34, "losses": 600}
        HeadToHead.objects.create(bot=arena.bot, opponent=rival.bot, **met)
        HeadToHead.objects.create(bot=arena.other, opponent=rival.bot, **met)
    HeadToHead.objects.create(bot=arena.bot, opponent=arena.other, games=10, wins=5, draws=0, losses=5)
    for games in (1, 1_000):
        point = {"rating": 1_500, "standard_error": 30, "at": timezone.now()}
        RatingPoint.objects.create(version=arena.version, games=games, **point)
    makers.make_standings()
    makers.make_version(arena.bot, state=BotVersion.State.REJECTED, reason=stored(said("x" * 200)), verdict="crashed")
    BotVersion.objects.filter(pk=arena.version.pk).update(log="y" * 500)
    fault = make_records(LONG, "Rival", fault_turn=3, message="Traceback " + "z" * 120)
    finish_match(make_match(rival, arena.version), fault)
    turns = pack([LoggedTurn(1, 1, "go" * 200, "NONE", "w" * 300, 1.0, 2.0)])
    Result.objects.filter(match=arena.match).update(log_digest=store_replay(turns))
    makers.make_version(makers.make_bot("Withdrawn", arena.owner), state=BotVersion.State.RETIRED)
    Announcement.objects.create(text="A new season begins. " * 5)
    cup = make_contest("cup", title=f"{LONG} cup", entries_until=timezone.now() + timedelta(days=2))
    Member.objects.create(contest=cup, user=arena.owner, role=Member.Role.ORGANISER)
    team = Team.objects.create(contest=cup, name=LONG, captain=arena.owner)
    TeamMember.objects.create(contest=cup, team=team, user=arena.owner)
    Invitation.objects.create(contest=cup, created_by=arena.owner, expires_at=cup.entries_until, uses_max=30)
    names = [LONG, *(f"Entrant of a rather long name {number}" for number in range(5))]
    stages = [{"format": "round_robin", "goes_on": 4}, {"format": "single_elimination", "best_of": 3}]
    play_rounds(make_drawn(make_field(cup.slug, cup.game, names), stages), 6, with_matches=True)
    return arena


def routes(resolver: URLResolver, before: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Yield name, with its namespace, and path of our URLs, without those of the APIs, of libraries and of streams."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if path in ("admin/", "api/v1/"):
            continue
        if isinstance(pattern, URLResolver):
            yield from routes(pattern, path, f"{space}{pattern.namespace}:" if pattern.namespace else space)
        elif (
            pattern.name not in (None, *STREAMS)
            and not iscoroutinefunction(pattern.callback)
            and space != "kakomimasu:"
            and (space or not path.startswith("accounts/"))
        ):
            yield f"{space}{pattern.name}", path


def url_of(name: str, path: str, arena: Arena) -> str:
    """Return a URL of something in the arena that is wide."""
    arguments = re.findall(r"<(?:\w+:)?(\w+)>", path)
    values = {"one": arena.bot.pk, "other": arena.other.pk, "stage": 1, "number": 1, "tournament": "final"}
    values |= {"name": arena.owner.username, "token": Invitation.objects.get().token, "day": "2026-11-28"}
    values |= {"kind": "csv", "language": "python", "act": "drain", "action": "resume"}
    of_the_cup = re.search("people|team|tournaments|desk", path) and "collusion" not in path
    values["place"] = "contests/cup" if of_the_cup else "games/kakomimasu"
    if "pk" in arguments:
        rows = {"versions": arena.version, "matches": arena.match, "tables": arena.match, "trials": arena.trial}
        rows |= {"tries": arena.tried, "workers": arena.worker, "hosts": arena.host, "teams": Team.objects.get()}
        entrant = Entrant.objects.get(tournament__contest="cup", number=1)
        rows["bots"] = entrant.bot if "tournaments" in path else arena.other if "challenge" in path else arena.bot
        thing = re.findall(r"(\w+)/\W+(?:\w+:|P<)?pk", path)[-1]
        values["pk"] = rows[thing].pk if thing in rows else 1
    query = f"?a={arena.bot.pk}&b={arena.other.pk}" if name == "matches:compare" else ""
    return reverse(name, kwargs={each: values[each] for each in arguments}) + query


def pages(page: Page, arena: Arena) -> list[str]:
    """Return the URLs that show an administrator a whole page; all others are of acts, files or parts of pages."""
    found, absent = [], set()
    for name, path in routes(get_resolver()):
        answer = page.request.get(url := url_of(name, path, arena), max_redirects=0)
        assert answer.status < HTTPStatus.INTERNAL_SERVER_ERROR or name == "fleet:healthz", url
        absent |= {name} if answer.status == HTTPStatus.NOT_FOUND else set()
        is_whole = answer.status == HTTPStatus.OK and b"</html>" in answer.body()
        found += [url] if is_whole or re.match("/(?!static/)", answer.headers.get("location", "")) else []
    assert absent == NOT_THERE
    return found


ACCOUNTS = ("/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/")
STRANGERS = ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/")


def test_no_page_is_wider_than_a_phone(browser: Browser, live_server: LiveServer, full: Arena) -> None:
    wide = []
    with browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        for url in STRANGERS:
            page.goto(url)
            wide += [] if page.evaluate(FITS) else [url]
        sign_in(page)
        for url in (*pages(page, full), *ACCOUNTS):
            answer = page.goto(url)
            assert answer
            assert answer.ok, url
            wide += [] if page.evaluate(FITS) else [url]
    assert not wide, wide
