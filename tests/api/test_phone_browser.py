"""Every page of the site on a phone: none is wider than the screen, however long its names and tables are."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from django.utils import timezone
from playwright.sync_api import Browser
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

NO_PAGES = {
    *("board_download", "overall_download", "kit", "version_progress", "version_download", "version_status"),
    *(
        "transfer",
        "favicon",
        "robots",
        "healthz",
        "livez",
        "game_log",
        "match_state",
        "picture",
        "live",
        "match_log_json",
        "unknown",
    ),
    *("replay", "replay_json", "first_games", "check_log_json", "check_replay_file", "check_replay_json"),
    *("trial_progress", "metrics", "calendar", "final_board", "board_key", "data_download"),
    *("now", "table_events", "plan", "results", "trf", "show_step", "show_match"),
    *("game_told", "replays"),
    *("bot_feed", "person_feed", "contest_feed"),
    *("try", "try_live", "try_replay", "try_turns"),
}
"""URLs that are no whole pages: files, parts of pages, and what programs read."""
ACTS = {
    *("bot_delete", "notifications_read", "notifications_mail", "notification", "version_again", "version_act"),
    *("language", "match_again", "challenge_begin", "trial_begin", "trial_end", "act", "revoke"),
    *("desk_open", "desk_pause", "desk_freeze", "desk_archive"),
    *("join", "token_end", "desk_act", "desk_announce", "desk_announcement_delete", "desk_delete", "desk_disqualify"),
    *("leave", "people_act", "roster", "team_act"),
    *("table_answer", "table_take_over"),
    *("draft", "try_begin", "submit"),
    "hook_act",
    *("free_players", "ai_players", "game_players", "game_actions"),
    *("enter", "entry_remove", "withdraw", "desk_enter", "show_release"),
}
"""URLs to which forms are sent, and which answer with one of the other pages."""
NAMESAKES = {"contest_new", "tournament_desk", "tournament_settings", "tournament_show"}
"""Pages whose urls are called as others are: new, desk, desk_settings, show."""
PROVIDERS = {
    *("socialaccount_connections", "socialaccount_signup", "provider_confirm", "socialaccount_login_cancelled"),
    *("openid_login", "openid_callback", "github_login", "github_callback"),
}
"""URLs of sign-in by other sites (``tests/accounts/test_providers_browser.py``)."""


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


def names_of(patterns: list[URLPattern | URLResolver]) -> set[str]:
    """Return the names of all our URLs, without those of the API and of libraries."""
    found: set[str] = set()
    for pattern in patterns:
        if isinstance(pattern, URLPattern):
            found |= {str(pattern.name)} - {"None"}
        elif not str(pattern.pattern).startswith(("admin/", "accounts/", "api/v1/")):
            found |= names_of(pattern.url_patterns)
    return found


def pages(arena: Arena) -> dict[str, str]:
    """Return the URL of each of our pages, by the URL's name."""
    game, bot, version, match = "/games/kakomimasu/", arena.bot.pk, arena.version.pk, arena.match.pk
    final = "/contests/cup/tournaments/final/"
    return {
        "home": "/",
        "help": "/help/",
        "about": "/about/",
        "games": "/games/",
        "board": game,
        "overall": "/boards/",
        "guide": f"{game}guide/",
        "downloads": f"{game}downloads/",
        "bot": f"/bots/{bot}/",
        "versions": f"/bots/{bot}/versions/",
        "profile": f"/users/{arena.owner.username}/",
        "notifications": "/notifications/",
        "close": "/accounts/close/",
        "data": "/accounts/data/",
        "hooks": "/hooks/",
        "rename": "/accounts/rename/",
        "profile_edit": "/accounts/profile/",
        "mine": "/mine/",
        "following": "/following/",
        "upload": "/upload/",
        "version": f"/versions/{version}/",
        "list": "/matches/",
        "match": f"/matches/{match}/",
        "show": "/matches/show/",
        "embed": f"/matches/{match}/embed/",
        "match_log": f"/matches/{match}/log/",
        "check_replay": f"/versions/{version}/check/",
        "check_log": f"/versions/{version}/check/log/",
        "opponents": f"/bots/{bot}/opponents/",
        "challenge": f"/bots/{arena.other.pk}/challenge/",
        "compare": f"/compare/?a={bot}&b={arena.other.pk}",
        "trials": f"/bots/{bot}/trials/",
        "trial": f"/trials/{arena.trial.pk}/",
        "fleet": "/fleet/",
        "hosts": "/fleet/hosts/",
        "quarantine": f"/fleet/workers/{arena.worker.pk}/quarantine/",
        "audit": "/fleet/audit/",
        "fleet_contests": "/fleet/contests/",
        "contests": "/contests/",
        "contest_new": "/contests/new/",
        "desk": "/contests/cup/desk/",
        "desk_settings": "/contests/cup/desk/settings/",
        "desk_collusion": f"{game}desk/collusion/",
        "desk_collusion_matches": f"{game}desk/collusion/{bot}/{arena.other.pk}/",
        "people": "/contests/cup/people/",
        "own_team": "/contests/cup/team/",
        "team": f"/contests/cup/teams/{Team.objects.get().pk}/",
        "invitation": f"/join/{Invitation.objects.get().token}/",
        "bot_enter": f"/bots/{bot}/enter/",
        "collusion": "/fleet/collusion/",
        "collusion_matches": f"/fleet/collusion/{bot}/{arena.other.pk}/",
        "play": "/play/",
        "play_contest": f"/play{game}",
        "workshop": f"/workshop{game}",
        "table": f"/play/tables/{match}/",
        "tournaments": "/contests/cup/tournaments/",
        "new": "/contests/cup/tournaments/new/",
        "tournament": final,
        "tournament_desk": f"{final}desk/",
        "tournament_settings": f"{final}desk/settings/",
        "tournament_show": f"{final}show/",
        "round": f"{final}rounds/1/1/",
        "standings": f"{final}standings/",
        "cross": f"{final}cross/",
        "bracket": f"{final}bracket/",
        "way": f"{final}bots/{Entrant.objects.get(tournament__contest='cup', number=1).bot_id}/",
        "reference": "/api/",
        "token_page": "/api/tokens/",
    }


ACCOUNTS = ("/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/")
STRANGERS = ("/", "/accounts/login/", "/accounts/signup/", "/accounts/password/reset/", "/nowhere/")


def test_no_page_is_wider_than_a_phone(browser: Browser, live_server: LiveServer, full: Arena) -> None:
    known = pages(full)
    assert (
        names_of(get_resolver().url_patterns)
        == {name.removeprefix("fleet_") for name in known if name not in NAMESAKES} | NO_PAGES | ACTS | PROVIDERS
    )
    wide = []
    with browser.new_context(base_url=live_server.url, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        for url in STRANGERS:
            page.goto(url)
            wide += [] if page.evaluate(FITS) else [url]
        sign_in(page)
        for url in (*known.values(), *ACCOUNTS):
            answer = page.goto(url)
            assert answer
            assert answer.ok, url
            wide += [] if page.evaluate(FITS) else [url]
    assert not wide, wide
