"""Urls answer every kind of reader as docs/organise/visibility.md says, and nothing names a contest to strangers."""

from __future__ import annotations

import difflib
import io
import re
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from fnmatch import fnmatch
from functools import cache
from http import HTTPStatus
from itertools import product
from typing import Any, NamedTuple

import pytest
from django.core.cache import cache as stored
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.exports import export_pieces
from accounts.models import User
from api.description import description, operations
from contests.models import Contest, Member, Team, TeamMember
from core.replay import encode
from deploy.settings import ROOT
from ladder.models import Announcement, Bot, BotVersion
from ladder.services.announcements import announcement_save
from matches.models import Match, Seat, Trial
from tests.contests.makers import make_contest
from tests.ladder.makers import make_rating, make_user, make_version
from tests.matches.makers import finish_match, make_records, store_replay
from tournaments.models import Entrant, Round, Table, TableMatch, TableSeat, Tournament
from wire.turnlog import LoggedTurn, pack

pytestmark = pytest.mark.django_db

PAGE = "docs/organise/visibility.md"
TEXT = (ROOT / PAGE).read_text()
ROLES = ("guest", "stranger", "participant", "mate", "organiser", "administrator")
EACH_ROLE = [
    *ROLES[:2],
    *(pytest.param(role, marks=pytest.mark.test_all) for role in ROLES[2:]),
]
"""Those who may see least are asked by `make test`; it takes ten seconds each."""
VISIBILITIES = ("public", "unlisted", "private", "draft")
NAMING = ("list", "front", "start")
"""Kinds of urls that name a contest or do not; the other kinds let readers in or do not."""
UNASKED = ("site", "secret")
"""Kinds of urls that have nothing of a certain contest."""
NOWHERE = 10**9


class Row(NamedTuple):
    """A url of the second table."""

    name: str
    method: str
    kind: str
    may_lack: bool
    """Whether it may answer 404 to those who get in, too."""


class World(NamedTuple):
    """A contest with something of every kind in it."""

    contest: Contest
    owner: User
    team: Team
    bot: Bot
    other: Bot
    version: BotVersion
    new: BotVersion
    match: Match
    running: Match
    trial: Trial
    tournament: Tournament

    @property
    def secrets(self) -> list[str]:
        """What nobody may read who is not in it."""
        names = [self.bot.name, self.other.name, self.team.name, self.tournament.title]
        return [self.contest.slug, self.contest.title, *names]


def _cells() -> dict[tuple[str, str, str], str]:
    """Return the first table: what is said by kind, visibility and role."""
    lines = re.findall(rf"^\| (\w+) \| ({'|'.join(VISIBILITIES)}) \| (.*) \|$", TEXT, re.MULTILINE)
    cells = [(kind, visibility, role, cell) for kind, visibility, rest in lines
             for role, cell in zip(ROLES, rest.split(" | "), strict=True)]  # fmt: skip
    return {(kind, visibility, role): cell for kind, visibility, role, cell in cells}


def _rows() -> list[Row]:
    """Return the second table."""
    found = []
    for kind, urls in re.findall(r"^\| (\w+) \| (`.*`\*?) \|$", TEXT, re.MULTILINE):
        for words, star in re.findall(r"`([^`]+)`(\*?)", urls):
            name, _, method = words.partition(" ")
            found.append(Row(name, method or "GET", kind, bool(star)))
    return found


CELLS, ROWS = _cells(), _rows()


def _routes(resolver: URLResolver, before: str = "", space: str = "") -> Iterator[tuple[str, str]]:
    """Yield the name (with its namespace; the path if it has none) and the path of each url pattern."""
    for pattern in resolver.url_patterns:
        path = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, path, f"{space}{pattern.namespace}:" if pattern.namespace else space)
        else:
            assert isinstance(pattern, URLPattern)
            name = f"{space}{pattern.name or ''}"
            yield name or path.replace("accounts/", "account ", 1), path


@cache
def _paths() -> dict[str, str]:
    return dict(_routes(get_resolver()))


def test_every_url_stands_in_the_table() -> None:
    names = [row.name for row in ROWS]
    missing = {name for name, _ in _routes(get_resolver()) if not any(fnmatch(name, known) for known in names)}
    assert missing == set(), (
        f"Put these urls into the row of their kind in {PAGE} (with POST or DELETE behind it if it takes no GET), and"
        " see with this test that they answer so. Reads of what belongs to a contest take their condition from"
        " contests.selectors.visibility."
    )
    known = {name for name, _ in _routes(get_resolver())}
    assert [name for name in names if not any(fnmatch(real, name) for real in known)] == [], "There are no such urls."


def test_every_operation_of_the_api_stands_in_the_table() -> None:
    paths = {f"/{path}": name for name, path in _routes(get_resolver()) if name.startswith("api:")}
    plain = {re.sub(r"<[^>]+>", "{}", path): name for path, name in paths.items()}
    wanted = {
        (plain[re.sub(r"\{[^}]+\}", "{}", path)], method.upper()) for path, method, _ in operations(description())
    }
    assert wanted - {(row.name, row.method) for row in ROWS} == set(), f"Put these operations into {PAGE}."


def test_every_kind_is_explained() -> None:
    kinds = {row.kind for row in ROWS} - set(UNASKED)
    assert set(CELLS) == set(product(kinds, VISIBILITIES, ROLES))


# --- Four contests ----------------------------------------------------------------------------------------------------


@pytest.fixture
def readers() -> dict[str, User]:
    stored.clear()
    users = {role: make_user(f"the {role}") for role in ROLES if role != "guest"}
    User.objects.filter(pk=users["administrator"].pk).update(is_staff=True)
    users["administrator"].refresh_from_db()
    return users


@pytest.fixture
def worlds(readers: dict[str, User]) -> dict[str, World]:
    """A contest of each visibility, in which the same readers have the same roles."""
    return {visibility: _world(visibility, readers) for visibility in VISIBILITIES}


def _world(visibility: str, readers: dict[str, User]) -> World:
    mark = f"q{visibility}q"
    contest = make_contest(
        f"{mark}-cup",
        title=f"Cup {mark}",
        state="draft" if visibility == "draft" else "open",
        visibility="public" if visibility == "draft" else visibility,
        entries_until=timezone.now() + timezone.timedelta(days=9),
    )
    owner, rival = make_user(f"owner of {mark[1:4]}"), make_user(f"rival of {mark[1:4]}")
    people = {"participant": "participant", "mate": "participant", "organiser": "organiser"}
    for user, role in [(owner, "participant"), *((readers[name], role) for name, role in people.items())]:
        Member.objects.create(contest=contest, user=user, role=role)
    team = Team.objects.create(contest=contest, name=f"Team {mark}", captain=owner)
    for user in (owner, readers["mate"]):
        TeamMember.objects.create(contest=contest, team=team, user=user)
    bot = Bot.objects.create(owner=owner, team=team, contest=contest, game=contest.game, name=f"Bot {mark}")
    other = Bot.objects.create(owner=rival, contest=contest, game=contest.game, name=f"Rival {mark}")
    checked = store_replay(encode(make_records(bot.name, "house")))
    old = make_version(bot, state="retired", artifact_digest="e" * 64)
    version = make_version(bot, check_replay_digest=checked)
    second = make_version(other, artifact_digest="f" * 64)
    new = make_version(
        Bot.objects.create(owner=owner, team=team, contest=contest, game=contest.game, name=f"New {mark}")
    )
    make_rating(version)
    make_rating(second)
    make_standings_of(contest)
    match = finish_match(_match(contest, version, second))
    running = _match(
        contest, version, second, state="running", lease_token="t" * 31 + mark[1], lease_ends_at=timezone.now()
    )
    trial = Trial.objects.create(owner=owner, candidate=version, reference=old, game=contest.game, games_max=100)
    announcement_save(announcement=Announcement(text=f"News of {mark}-cup", contest=contest), actor=None)
    tournament = _tournament(contest, mark, version, second)
    return World(contest, owner, team, bot, other, version, new, match, running, trial, tournament)


def _tournament(contest: Contest, mark: str, *versions: BotVersion) -> Tournament:
    """Create a tournament that is being played: all against all, with one round of one table."""
    now = timezone.now()
    tournament = Tournament.objects.create(
        contest=contest,
        slug=f"{mark}-final",
        title=f"Final {mark}",
        stages=[{"format": "round_robin"}],
        state="running",
        drawn_at=now,
        started_at=now,
    )
    table = Table.objects.create(
        round=Round.objects.create(tournament=tournament, stage=0, number=1, released_at=now), number=1
    )
    for index, version in enumerate(versions):
        entrant = Entrant.objects.create(tournament=tournament, version=version, bot=version.bot, number=index + 1)
        TableSeat.objects.create(table=table, index=index, entrant=entrant)
    return tournament


def make_standings_of(contest: Contest) -> None:
    from ladder.models import Rating

    for rank, rating in enumerate(Rating.objects.filter(contest=contest), start=1):
        rating.rank = rating.rank_best = rating.rank_worst = rank
        rating.listed = True
        rating.save()


def _match(contest: Contest, *versions: BotVersion, **fields: Any) -> Match:
    row = {"rules_version": "1", "seed": 42, "encounter": "e" * 32, "contest": contest, "game": contest.game}
    match = Match.objects.create(**row | fields)
    Seat.objects.bulk_create([Seat(match=match, index=i, version=version) for i, version in enumerate(versions)])
    return match


# --- Asking -----------------------------------------------------------------------------------------------------------


def _url(row: Row, world: World | None) -> str:
    """Return a url of something in a contest, or with None the url of nothing of the same kind."""
    pks = {"bots": "bot", "versions": "version", "matches": "match", "trials": "trial", "teams": "team"}
    path = _paths()[row.name]
    contest = world.contest if world else None
    parts: dict[str, Any] = {}
    for part in re.findall(r"<(?:\w+:)?(\w+)>", path):
        if part == "pk":
            what = next((pks[word] for word in re.findall(r"[a-z]+", path) if word in pks), "")
            thing = "new" if "first" in row.name else "running" if row.name == "matches:live" else what
            parts[part] = getattr(world, thing).pk if world and thing else NOWHERE
        elif part in ("one", "other"):
            parts[part] = (world.bot.pk if part == "one" else world.other.pk) if world else NOWHERE
        elif part in ("stage", "number"):
            parts[part] = 1
        elif part == "day":
            parts[part] = "2026-11-28"
        else:
            slug = contest.slug if contest else "no-such-cup"
            known = {"place": f"contests/{slug}", "slug": slug, "game": slug, "contest": slug, "kind": "csv"}
            known |= {"language": "python", "name": world.owner.username if world else "nobody"}
            known |= {"tournament": world.tournament.slug if world else "no-such-final"}
            acts = {
                "contests:people_act": "add",
                "contests:team_act": "rename",
                "fleet:act": "drain",
            }
            parts[part] = {**known, "act": acts.get(row.name, "pause"), "action": "retire"}[part]
    query = {
        "matches:compare": f"?a={world.bot.pk if world else NOWHERE}",
        "matches:show": f"?contest={contest.slug if contest else 'no-such-cup'}",
        "fleet:collusion": "",
    }
    return reverse(row.name, kwargs=parts) + query.get(row.name, "")


class Answer(NamedTuple):
    """What a reader got, without what differs from request to request."""

    status: int
    text: str
    where: str

    @property
    def asks_to_sign_in(self) -> bool:
        """Whether the reader has to sign in first."""
        return self.status == HTTPStatus.UNAUTHORIZED or "/accounts/login/" in self.where


def _asked(client: Client, row: Row, world: World | None) -> Answer:
    """Ask for a url; what the answer changed is taken back."""
    url = _url(row, world)
    client.cookies.pop("messages", None)  # what an earlier answer says on the next page
    with transaction.atomic() if row.method != "GET" else nullcontext():
        answer = client.generic(row.method, url, b"{}" if row.name.startswith("api:") else b"",
                                content_type="application/json" if row.name.startswith("api:")
                                else "application/x-www-form-urlencoded")  # fmt: skip
        if row.method != "GET":
            transaction.set_rollback(True)
    text = "" if answer.streaming else answer.content.decode(errors="replace")
    text = re.sub(r'(name="csrfmiddlewaretoken" value=")\w+', r"\1", text)
    return Answer(answer.status_code, text.replace(url, ""), answer.headers.get("Location", ""))


def _client(role: str, readers: dict[str, User]) -> Client:
    client = Client()
    if role != "guest":
        client.force_login(readers[role])
    return client


def _found(row: Row, visibility: str, role: str, answer: Answer, nothing: Answer) -> str:
    """Return what a reader got, in the words of the table."""
    if answer.asks_to_sign_in:
        return "sign in" if nothing.asks_to_sign_in else "sign in, though nothing else does so"
    same = (answer.status, answer.text) == (nothing.status, nothing.text)
    if answer.status >= HTTPStatus.INTERNAL_SERVER_ERROR and answer.status != HTTPStatus.SERVICE_UNAVAILABLE:
        return f"an error {answer.status}"
    if answer.status == HTTPStatus.NOT_FOUND and not same and CELLS["page", visibility, role] != "yes":
        different = difflib.unified_diff(nothing.text.splitlines(), answer.text.splitlines(), n=0, lineterm="")
        return f"404, but another than that of nothing: {list(different)[3:]}"
    if row.kind == "fleet":  # most of these urls have nothing of a certain contest
        return "404" if answer.status == HTTPStatus.NOT_FOUND else "yes"
    return "404" if same or answer.status == HTTPStatus.NOT_FOUND else "yes"


@pytest.mark.django_db(transaction=True)  # live streams and logs are read by threads
@pytest.mark.parametrize("role", EACH_ROLE)
def test_readers_get_what_the_table_says(
    role: str, worlds: dict[str, World], readers: dict[str, User], settings: Settings
) -> None:
    client, wrong = _client(role, readers), []
    for row in ROWS:
        if row.kind in (*UNASKED, *NAMING) or "*" in row.name:
            continue
        nothing = _asked(client, row, None)
        for visibility, world in worlds.items():
            said = CELLS[row.kind, visibility, role]
            if (row.may_lack and said == "yes") or (row.kind == "fleet" and visibility != "private"):
                continue
            found = _found(row, visibility, role, _asked(client, row, world), nothing)
            if found != said:
                wrong.append((row.name, row.method, visibility, f"says {said}, but is {found}"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("role", EACH_ROLE)
def test_lists_name_what_the_table_says(role: str, worlds: dict[str, World], readers: dict[str, User]) -> None:
    client, wrong = _client(role, readers), []
    for row in ROWS:
        for visibility, world in worlds.items():
            if row.kind not in NAMING:
                continue
            answer = client.get(_url(row, world)).text
            named = [secret for secret in world.secrets if secret in answer]
            said = CELLS[row.kind, visibility, role]
            if row.kind in ("front", "start") and visibility == "public":
                continue  # it names some of what is public, the newest or the best
            if bool(named) != (said == "named"):
                wrong.append((row.name, visibility, f"says {said}, but there is {named}"))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.django_db(transaction=True)
def test_nothing_that_strangers_get_names_a_private_contest(worlds: dict[str, World], readers: dict[str, User]) -> None:
    """The attack: somebody looks through all that the site shows unasked, and its filters, for what he is not in."""
    hidden = [worlds["unlisted"], worlds["private"], worlds["draft"]]
    for role, contest in product(("guest", "stranger"), hidden):
        client = _client(role, readers)
        urls = [_url(row, contest) for row in ROWS if row.kind in (*NAMING, "site") and row.method == "GET"
                and "*" not in row.name and row.name not in ("api:", "accounts:notification", "api:token")]  # fmt: skip
        urls += [f"/matches/?{query}" for query in ("state=", "kind=challenge", "kind=trial", "bot=q", "owner=owner")]
        urls += [f"/api/v1/matches/?{query}" for query in ("kind=trial", "bot=q", "owner=owner of q")]
        if contest is not hidden[0]:
            pks = {"bot_id": contest.bot.pk, "version": contest.version.pk, "against": contest.other.pk}
            urls += [f"/matches/?state=&{name}={pk}" for name, pk in pks.items()]
            urls += [f"/api/v1/matches/?{name}={pk}" for name, pk in pks.items()]
            urls += [f"/compare/?a={worlds['public'].bot.pk}&b={contest.bot.pk}"]
        for url in urls:
            text = client.get(url).text.replace(url.replace("&", "&amp;"), "")
            assert [secret for secret in contest.secrets if secret in text] == [], (role, url)


def test_counts_tell_nothing_of_what_is_not_public(worlds: dict[str, World]) -> None:
    from matches.selectors.front import front_page

    front = front_page(new_bots=100)
    assert front.matches_a_minute == 0.1, "one match of the public contest in ten minutes"
    assert {bot.contest_id for bot in front.new_bots} == {worlds["public"].contest.slug}


@pytest.mark.django_db(transaction=True)
def test_no_proxy_keeps_what_members_alone_see(worlds: dict[str, World], readers: dict[str, User]) -> None:
    client = _client("mate", readers)
    for visibility, world in worlds.items():
        for row in ROWS:
            if row.kind != "page" or row.may_lack or visibility == "draft" or row.method != "GET":
                continue
            headers = client.get(_url(row, world)).headers
            kept = headers.get("Cache-Control", "")
            if visibility == "private" and row.name not in ("matches:compare", "matches:first_games"):
                assert "private" in kept or "no-store" in kept, (row.name, kept)
            is_page = not row.name.startswith("api:") and row.name not in ("matches:compare", "matches:first_games")
            if is_page:
                assert (headers.get("X-Robots-Tag") == "noindex") is (visibility != "public"), (row.name, visibility)


# --- Hidden results ---------------------------------------------------------------------------------------------------

TELLERS = ("organiser", "administrator")
"""Who knows hidden results."""
TOLD = "qtellsq"
"""Stands in the replay, the log, the evidence and the reason of a table of a hidden match."""
SCORE, POINTS, PLACE, FIRST_PK = 98_765, 4_242.5, 31_313, 70_707_070
RESULT = re.compile(rf"{TOLD}|{SCORE}|4.?242.5|{PLACE}|{FIRST_PK // 10}[0-2]")
"""All by which a page tells of a hidden result, or names its match."""


def _hide(world: World, state: str = "running") -> World:
    """Return a world whose tournament has hidden results: a round that is decided, and one that is being played.

    The winners of a finished one are known to its organisers.
    """
    tournament, entrants = world.tournament, list(world.tournament.entrants.order_by("number"))
    tournament.results, tournament.state = "at_end", state
    tournament.stages = [{"format": "round_robin", "cycles": 2}]
    tournament.save()
    first = tournament.rounds.get()
    first.released_at, first.finished_at = None, timezone.now()
    first.save()
    second = Round.objects.create(tournament=tournament, stage=0, number=2)
    again = Table.objects.create(round=second, number=1)
    TableSeat.objects.bulk_create(
        [TableSeat(table=again, index=1 - i, entrant=each) for i, each in enumerate(entrants)]
    )
    table = first.tables.get()
    Table.objects.filter(pk=table.pk).update(
        outcome="by_hand", reason=TOLD, matches_counted=1, decided_at=timezone.now()
    )
    TableSeat.objects.filter(table=table).update(points=POINTS, games=POINTS)
    Entrant.objects.filter(tournament=tournament).update(place=PLACE)
    versions = [each.version for each in entrants]
    of_it: dict[str, Any] = {"kind": "tournament", "queue_class": "tournament", "is_hidden": True}
    match = _match(world.contest, *versions, pk=FIRST_PK, **of_it)
    finish_match(match, make_records(world.bot.name, world.other.name, fault_turn=3, message=TOLD))
    turn = LoggedTurn(0, 1, asked=TOLD, answered=TOLD, stderr=TOLD, cpu_ms=1.0, wall_ms=1.0)
    match.result.log_digest = store_replay(pack([turn]))
    match.result.save()
    match.seats.update(score=SCORE, verdict="crashed", evidence={"verdict": "crashed", "stderr": TOLD})
    running = _match(world.contest, *versions, pk=FIRST_PK + 1, state="running", lease_token="h" * 32,
                     lease_ends_at=timezone.now(), **of_it)  # fmt: skip
    waiting = _match(world.contest, *versions, pk=FIRST_PK + 2, **of_it)
    for at, number, row in ((table, 0, match), (again, 0, running), (again, 1, waiting)):
        TableMatch.objects.create(table=at, encounter=0, rotation=number, match=row)
    match.refresh_from_db()
    return world._replace(match=match, running=running)


def _release(world: World) -> None:
    now = timezone.now()
    world.tournament.rounds.update(released_at=now)
    Tournament.objects.filter(pk=world.tournament.pk).update(state="released", released_at=now)
    Match.objects.filter(table_match__table__round__tournament=world.tournament).update(is_hidden=False)


def _everywhere(world: World) -> list[tuple[str, str, str]]:
    """Return method and url of all that may tell of a match, with the name of the url."""
    asked = [(row.method, _url(row, world), row.name) for row in ROWS
             if row.method == "GET" and "*" not in row.name and row.kind != "secret"
             and row.name not in ("api:", "accounts:notification", "api:token", "accounts:data_download")]  # fmt: skip
    named = [
        f"bot_id={world.bot.pk}",
        f"version={world.version.pk}",
        f"against={world.other.pk}",
        "fault=any",
        "state=",
    ]
    named += [f"contest={world.contest.slug}", f"owner={world.owner.username}", "language=python", ""]
    for words, state in product(named, ("", "finished", "running", "queued")):
        query = f"kind=tournament&{words}{f'&state={state}' if state else ''}"
        asked += [("GET", f"/matches/?{query}", "matches:list")]
        if words != "state=":
            asked += [("GET", f"/api/v1/matches/?{query}", "api:matches")]
    asked += [("GET", f"/matches/{world.running.pk + more}/", "matches:match") for more in (0, 1)]
    return [*asked, *((row.method, _url(row, world), row.name) for row in ROWS
                      if row.name in ("matches:match_again", "api:rerun"))]  # fmt: skip


def _tells(client: Client, method: str, url: str) -> list[str]:
    """Return what an answer tells of a hidden result."""
    with transaction.atomic() if method != "GET" else nullcontext():
        answer = client.generic(method, url, b"{}" if "/api/" in url else b"", content_type="application/json")
        if method != "GET":
            transaction.set_rollback(True)
    headers = f"{answer.headers.get('Location', '')} {answer.headers.get('Content-Disposition', '')}"
    text = headers if answer.streaming else answer.content.decode(errors="replace") + headers
    for shown in (url, url.replace("&", "&amp;")):
        text = text.replace(shown, "")
    return RESULT.findall(text)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("role", "state"),
    [
        ("owner", "running"),
        ("guest", "finished"),
        *(pytest.param(role, "running", marks=pytest.mark.test_all) for role in ROLES if role not in TELLERS),
        pytest.param("owner", "finished", marks=pytest.mark.test_all),
    ],
)
def test_nobody_but_organisers_is_told_a_hidden_result(role: str, state: str, readers: dict[str, User]) -> None:
    """The attack: somebody, also the owner of a bot that played, looks everywhere for a winner before the ceremony."""
    world = _hide(_world("public", readers), state)
    client = _client(role, readers | {"owner": world.owner})
    wrong = {(name, url, *tells) for method, url, name in _everywhere(world) if (tells := _tells(client, method, url))}
    assert not wrong, "\n".join(map(str, sorted(wrong)))
    digest = f'"{world.match.result.replay_digest}"'
    for name in ("matches:replay", "api:replay", "matches:replay_json"):
        answer = client.get(reverse(name, args=[world.match.pk]), headers={"If-None-Match": digest})
        assert answer.status_code == HTTPStatus.NOT_FOUND, "304 would say that it is the replay of this match"
    later = {"place": world.contest, "tournament": world.tournament.slug, "stage": 1, "number": 2}
    pairing = reverse("tournaments:round", kwargs=later)
    assert client.get(pairing).status_code == HTTPStatus.NOT_FOUND, "who meets there follows from hidden results"
    _release(world)
    stored.clear()
    assert client.get(pairing).status_code == HTTPStatus.OK
    for name in ("matches:match", "matches:replay_json", "api:match", "matches:embed"):
        assert client.get(reverse(name, args=[world.match.pk])).status_code == HTTPStatus.OK
    for url in ("/matches/?kind=tournament", "/api/v1/matches/?kind=tournament"):
        assert str(SCORE) in client.get(url).text


@pytest.mark.parametrize("role", TELLERS)
def test_organisers_are_told_hidden_results_and_no_proxy_keeps_them(role: str, readers: dict[str, User]) -> None:
    world = _hide(_world("public", readers))
    client = _client(role, readers)
    for name in ("matches:match", "matches:match_state", "matches:replay", "matches:replay_json", "api:match"):
        kept = client.get(reverse(name, args=[world.match.pk])).headers["Cache-Control"]
        assert "private" in kept, name
    assert {str(SCORE), str(FIRST_PK), str(FIRST_PK + 1)} <= set(_tells(client, "GET", "/matches/?kind=tournament"))
    assert _tells(client, "GET", reverse("matches:embed", args=[world.match.pk])) == [], "it reads no session"
    page = client.get(reverse("matches:match", args=[world.match.pk])).text
    assert str(SCORE) in page
    assert "Its result is hidden" in page
    again = client.post(reverse("api:rerun", args=[world.match.pk]))
    assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, "everybody would see the re-run"


def test_counts_and_exports_tell_of_no_hidden_match(readers: dict[str, User]) -> None:
    from matches.selectors.front import front_page

    world = _hide(_world("public", readers))

    def exported() -> str:
        with zipfile.ZipFile(io.BytesIO(b"".join(export_pieces(user=world.owner)))) as file:
            return "".join(file.read(name).decode(errors="replace") for name in file.namelist())

    assert front_page(new_bots=1).matches_a_minute == 0.1
    assert RESULT.findall(exported()) == []
    _release(world)
    assert front_page(new_bots=1).matches_a_minute == 0.2
    assert str(FIRST_PK) in exported()
