"""Reads contests: which this reader sees, their states, rules and limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db.models import BooleanField, ExpressionWrapper, F, Q, QuerySet
from django.db.models.functions import Now
from django.utils.translation import gettext as _

from accounts.access import Reader, administrates
from common.errors import InputError
from common.queries.cached import cached
from common.times import moment, moment_exact
from contests.models import Contest, Member
from contests.selectors.visibility import (
    contest_key_is_seen,
    contests_hidden,
    contests_public,
    is_contest_key,
    seen_by,
    shown_to,
)
from games.housebots import housebots_fault
from games.kits import kits_fault
from games.registry import game_named, game_names, games_broken
from wire.jobs import BotLimits

State = Contest.State
Visibility = Contest.Visibility

LIMIT_NAMES: tuple[str, ...] = BotLimits.__struct_fields__
DUEL_SEATS = 2
"""How many seats a match has that a user asks for (a challenge or a test), also in games for more players."""


def packages_problems() -> list[str]:
    """Return sentences that name installed games which cannot be used, and what is left out of others (no query)."""
    games = set(settings.GAMES) & set(game_names())
    faults = [fault(game) for game in games for fault in (housebots_fault, kits_fault, _limits_fault)]
    return [*games_broken().values(), *sorted(filter(None, faults))]


# --- Which contests there are ---------------------------------------------------------------------------------------


def contests_visible(*, reader: Reader) -> QuerySet[Contest]:
    """Return the contests that a reader may see, also those that no list names.

    The attack: somebody who is not in a private contest guesses its urls, or reads its bots and matches on the pages of
    others. Every query for such pages begins with these contests.
    """
    return Contest.objects.filter(seen_by(reader, at=""), game__in=settings.GAMES)


def contests_shown(*, reader: Reader) -> QuerySet[Contest]:
    """Return the contests that lists show to a reader: public ones and the reader's own; to administrators all."""
    return Contest.objects.filter(shown_to(reader, at="pk"), game__in=settings.GAMES)


def contest_seen(*, slug: str, reader: Reader) -> Contest | None:
    """Return a contest by its key if this reader may see it, else None (1 query)."""
    return contests_visible(reader=reader).filter(slug=slug).first() if is_contest_key(slug) else None


def entry_check(*, contest: str, reader: Reader) -> None:
    """Check that a reader may see a contest, given by its key, before the reader acts in it.

    No query for a public contest, else 2 at most. Every service by which people upload, try, play or challenge in a
    contest calls it. The attack: a member who was removed goes on from an old table, bot or try.

    Raises:
        InputError: the reader may not see the contest; the sentence is the same as if there were none.
    """
    if not contest_key_is_seen(contest, reader=reader):
        raise InputError(contest_unknown())


def contest_choices(*, named: str, reader: Reader) -> list[tuple[str, str]]:
    """Return key and title of each contest that a form offers a reader: those that lists show, and ``named``.

    ``named`` is the key that the form has sent, which may be any text; it counts if the reader may see that contest.
    1 query for users, none for guests; 2 more if ``named`` is none of the contests that lists show.
    """
    found = {contest.slug: contest.title for contest in contests_public() if contest.game in settings.GAMES}
    found |= {contest.slug: contest.title for contest in contests_hidden(reader=reader)}
    if named not in found and is_contest_key(named):
        found |= {contest.slug: str(contest) for contest in contests_visible(reader=reader).filter(slug=named)}
    return list(found.items())


def contest_named(*, slug: str) -> Contest | None:
    """Return the contest with this key of a game of this arena, private ones too, or None (1 query)."""
    return Contest.objects.filter(slug=slug, game__in=settings.GAMES).first()


def contest_at(*, place: str, reader: Reader) -> Contest | None:
    """Return the contest that a part of a url names (``ContestConverter``), or None if this reader may not see it.

    Cached for open contests, which everybody may see; else 1 query.
    """
    folder, _slash, slug = place.partition("/")
    if folder == "games":
        return next((contest for contest in contests_open() if contest.slug == slug), None)
    return contests_visible(reader=reader).filter(~Q(game=F("slug")), slug=slug).first()


def contests_open() -> tuple[Contest, ...]:
    """Return the open contest of each game of this arena, in the order of the games (cached: seldom a query)."""
    known = cached(_open_by_game)
    return tuple(known.get(game) or open_contest(game) for game in settings.GAMES)


def open_contest(game: str) -> Contest:
    """Return an unsaved open contest of a game, as start-up makes it."""
    return Contest(slug=game, game=game, state=State.OPEN, has_house_bots=True, has_leagues=True)


def contests_played() -> list[str]:
    """Return the keys of the contests in which matches are made or may have just ended: all but drafts and archives."""
    idle = (State.DRAFT, State.ARCHIVED)
    contests = Contest.objects.filter(game__in=settings.GAMES).exclude(state__in=idle)
    return list(contests.values_list("slug", flat=True))


def own_hosts_only(*, at: str) -> Q:
    """Return the condition on rows that the jobs of their contest are kept from hosts of others.

    ``at`` is the path of fields from the rows to their contest.
    """
    return Q(**{f"{at}__visibility": Visibility.PRIVATE, f"{at}__other_hosts": False})


def contests_on_own_hosts() -> frozenset[str]:
    """Return the keys of the contests whose jobs are kept from hosts of others (cached: seldom a query)."""
    return cached(_on_own_hosts)


def _on_own_hosts() -> frozenset[str]:
    private = Contest.objects.filter(visibility=Visibility.PRIVATE, other_hosts=False)
    return frozenset(private.values_list("slug", flat=True))


def contests_chosen(*, slug: str | None) -> list[str]:
    """Return the key of the contest that a command names, or those of all contests if it names none (1 query).

    Raises:
        InputError: there is no such contest.
    """
    known = list(Contest.objects.values_list("slug", flat=True))
    if slug and slug not in known:
        raise InputError(contest_unknown())
    return [slug] if slug else known


def _open_by_game() -> Mapping[str, Contest]:
    return {contest.game: contest for contest in Contest.objects.filter(slug=F("game"))}


def contests_to_enter(*, reader: Reader, game: str = "", wanted: str = "") -> list[Contest]:
    """Return the contests in which a reader may enter bots now: open contests, own ones, then other public ones.

    They are those of one game, or of all games of this arena if ``game`` is empty. Unlisted and private contests are
    among them for their members alone. If ``wanted`` is the key of another contest that the reader may see, it comes
    last: the service decides whether the request came in time. 2 queries, 2 more with such a ``wanted``.
    """
    games = [game] if game else settings.GAMES
    mine = set(Member.objects.filter(user=reader.pk).values_list("contest", flat=True))
    taking = Contest.objects.filter(game__in=games, state__in=(State.OPEN, State.PAUSED))
    shown = taking.filter(Q(visibility=Visibility.PUBLIC) | Q(pk__in=mine))
    order = {name: place for place, name in enumerate(settings.GAMES)}

    def place(contest: Contest) -> tuple[bool, bool, int, str]:
        return not contest.is_open_contest, contest.pk not in mine, order[contest.game], str(contest)

    found = sorted((each for each in shown if takes_bots(contest=each)), key=place)
    if is_contest_key(wanted) and wanted not in [each.slug for each in found]:
        found += contests_visible(reader=reader).filter(slug=wanted, game__in=games)
    return found


def contests_may_create(*, reader: Reader) -> bool:
    """Return whether a reader may make contests: administrators, and every user if ``CONTESTS_BY_USERS`` is set."""
    return administrates(reader) or (settings.CONTESTS_BY_USERS and reader.is_authenticated)


# --- How a contest is run -------------------------------------------------------------------------------------------


def contest_state(*, contest: str) -> State:
    """Return the state that a contest has in the database now; ARCHIVED if there is no such contest (1 query)."""
    state = Contest.objects.filter(slug=contest).values_list("state", flat=True).first()
    return State(state or State.ARCHIVED)


def contest_unknown() -> str:
    """Return the sentence that refuses a key of no contest."""
    return _("There is no such contest here. Please choose one of the list.")


def contest_is_over(*, contest: str) -> bool:
    """Return whether a contest is frozen or archived in the database now; True if there is none such (1 query)."""
    return contest_state(contest=contest) in (State.FROZEN, State.ARCHIVED)


def archive_problem(*, contest: str) -> str:
    """Return in a sentence that an archived contest cannot be changed; empty if it is not archived (1 query)."""
    if contest_state(contest=contest) == State.ARCHIVED:
        return _("This contest is archived: its board is signed, and nothing in it changes any more.")
    return ""


def contest_options(*, contest: Contest) -> dict[str, Any]:
    """Return the options with which a contest's matches are played; only its own ones if the game is not installed."""
    return contest_rules(contest=contest)[1] if contest.game in game_names() else contest.options


def contest_rules(*, contest: Contest) -> tuple[Any, dict[str, Any]]:
    """Return the rules of a contest's game and the options with which its matches are played (no query)."""
    rules = game_named(contest.game)
    return rules, {**rules.rulesets[contest_ruleset(contest=contest)], **contest.options}


def contest_ruleset(*, contest: Contest) -> str:
    """Return the name of the ruleset that a contest plays, by default the first of its game (no query)."""
    return contest.ruleset or next(iter(game_named(contest.game).rulesets))


def tables_of(*, contest: Contest) -> dict[int, float]:
    """Return the share of a contest's matches by the number of bots at their tables; the shares sum up to 1.

    A game that is not installed any more has tables of ``DUEL_SEATS``.
    """
    chosen = {int(size): float(share) for size, share in contest.tables.items()}
    if not chosen:
        return {game_named(contest.game).players[0] if contest.game in game_names() else DUEL_SEATS: 1.0}
    total = sum(chosen.values())
    return {size: share / total for size, share in sorted(chosen.items())}


def check_size(*, contest: Contest) -> int:
    """Return the number of seats of check matches in a contest: that of most of its matches, of equals the larger."""
    return max((share, size) for size, share in tables_of(contest=contest).items())[1]


def play_problem(state: str) -> str:
    """Return why a contest in this state makes no new matches, in whole sentences; empty if it makes them."""
    if state == State.DRAFT:
        return _("This contest has not begun: it takes no bots yet.")
    if state == State.PAUSED:
        return _("This contest is paused: no new matches are made just now. Bots play once it is open again.")
    if state in (State.FROZEN, State.ARCHIVED):
        return _("This contest is over. No bots are taken and no new matches are made; the board stays.")
    return ""


def duel_problem(*, contest: Contest) -> str:
    """Return why two bots cannot play a match in a contest now, in whole sentences; empty if they can (1 query)."""
    if contest.game not in settings.GAMES or DUEL_SEATS not in game_named(contest.game).players:
        return _("This arena does not play this game with two players, so no two can meet alone.")
    return play_problem(contest_state(contest=contest.slug))


def upload_problem(*, contest: str, received_at: datetime | None = None) -> str:
    """Return why a contest takes no uploads, in whole sentences; empty if it takes them (1 query).

    ``received_at`` is when the request with the upload reached the site (``common.arrivals``); None: now.
    """
    # By the clock of the database, which all machines of the site share; their own may differ by seconds.
    late = Q(entries_until__lte=Now() if received_at is None else received_at)
    found = Contest.objects.filter(slug=contest).annotate(is_late=ExpressionWrapper(late, BooleanField())).first()
    if found is None:
        return contest_unknown()
    in_time = received_at is not None and found.plays_if_received(received_at)
    if found.state == State.DRAFT or (found.is_over and not in_time):
        return play_problem(found.state)
    if found.is_late:
        sentence = _("No bots are taken for this contest any more: they were until %(moment)s.") % {
            "moment": moment(found.entries_until)
        }
        if received_at is None:
            return sentence
        arrived = _("Your upload reached us at %(moment)s.") % {"moment": moment_exact(received_at)}
        return f"{sentence} {arrived}"
    return ""


def takes_bots(*, contest: Contest) -> bool:
    """Return whether a contest takes uploads, by ``contest`` as it was read; ``upload_problem`` reads it again."""
    return contest.state in (State.OPEN, State.PAUSED) and not contest.is_past_deadline()


# --- Limits ---------------------------------------------------------------------------------------------------------


def bot_limits(*, contest: Contest) -> BotLimits:
    """Return the limits of each bot of a contest: those that were chosen for it, else ``limits_installed`` (no query).

    Jobs carry the limits, so a change holds for matches that are handed out after it.
    """
    # Stored limits were checked when they were chosen. A name that a newer version of the arena removed is ignored.
    chosen = {name: value for name, value in contest.limits.items() if name in LIMIT_NAMES}
    return msgspec.convert({**msgspec.to_builtins(limits_installed(game=contest.game)), **chosen}, BotLimits)


def limits_installed(*, game: str) -> BotLimits:
    """Return the limits of a game's bots without the administrators' choices.

    The setting ``BOT_LIMITS`` comes before the limits that the game declares, and these before the defaults. A game
    whose package has been uninstalled declares none: its jobs wait among those of the others. What a game declares
    counts only if it can be given.

    Raises:
        ImproperlyConfigured: ``BOT_LIMITS`` names an unknown limit, or a value out of its range.
    """
    declared = game_named(game).bot_limits if game in game_names() and not _limits_fault(game) else {}
    chosen = {**declared, **settings.BOT_LIMITS.get(game, {})}
    try:
        return msgspec.convert(chosen, BotLimits)
    except msgspec.ValidationError as error:
        raise ImproperlyConfigured(f"BOT_LIMITS for {game} cannot be given: {error}.") from error


def _limits_fault(game: str) -> str:
    """Return why the limits that an installed game declares cannot be given; empty if they can."""
    try:
        msgspec.convert(dict(game_named(game).bot_limits), BotLimits)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        return f"The limits of bots that {game} declares are left out, since they cannot be given: {error}."
    return ""
