"""Opens tables: exhibitions in which people, or programs on their own machines, play against bots."""

from __future__ import annotations

import secrets
import uuid
from collections.abc import Mapping
from typing import Any, NamedTuple

import msgspec
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from common.errors import InputError
from common.limits import network_limit
from common.validators import validate_bot_name
from contests.models import Contest
from contests.selectors.contests import contest_rules, contest_ruleset, contest_state, entry_check, play_problem
from contests.selectors.people import member_of
from contests.services.contests import contest_begin
from core.variants import table_sizes
from exhibitions.models import Exhibition
from exhibitions.selectors.names import guest_name, is_name_of_another
from exhibitions.selectors.played import answers_taken
from exhibitions.selectors.queue import WAITING
from exhibitions.selectors.seats import secret_hash
from exhibitions.services.dispatching import tables_announce
from games.registry import game_named
from jobs.locks import lock_register
from jobs.selectors.workers import tables_count
from ladder.models import BotVersion
from matches.encounters import SEEDS
from matches.models import Match, RemoteSeat
from matches.services.lifecycle import exhibition_create
from wire.jobs import RealTime

LINE_MAX = 100
"""How many tables may wait for a free place."""
NAME_LENGTH_MAX = 40
CLOCK_SECONDS_MAX = 3_600
TRIES_MAX = 10
_opening_lock = lock_register(2, "opening tables")
_SECRET_BYTES = 32
_OPEN = (Match.State.QUEUED, Match.State.RUNNING)


class Player(NamedTuple):
    """Somebody who sits at a remote seat."""

    name: str
    """What everybody reads as the player's name."""
    user: User | None
    """The player's account; None for guests."""
    visitor: str
    """A guest's IP address or network (``common.visitors.visitor_of``), stored as a keyed hash alone; else empty."""
    clock_seconds: int
    """Seconds of wall time for each answer; 0: ``wire.tables.UNCLOCKED_SECONDS_MAX``."""
    tries: int
    """How many answers to one question may be illegal, the last of which puts the seat out of the match."""


class Opened(NamedTuple):
    """A new table."""

    match: Match
    secrets: dict[int, str]
    """The secret of each remote seat, which is stored nowhere: give it to the seat's player alone."""


@transaction.atomic
def table_open(
    *,
    contest: Contest,
    seats: Mapping[int, BotVersion | Player],
    taken_over: tuple[Match, int] | None = None,
    real_time: RealTime | None = None,
    options: Mapping[str, Any] | None = None,
) -> Opened:
    """Open a table: it waits for a free place on a worker of tables.

    Args:
        contest: the contest whose rules are played.
        seats: who has each seat, from 0: bots of this contest, and players.
        taken_over: a finished match that the caller has checked to be visible to the players, and the turn, from 1,
            from which on it is played anew; None: a new match on a secret seed.
        real_time: the times of its turns in real time; None: a turn lasts until all seats have answered.
        options: options of the game that replace the contest's; the caller has checked them.

    Raises:
        InputError: the table cannot be opened, or a player may not see the contest; the text says why.
        StoreAway: the replay of the match that is taken over cannot be read now.
    """
    for player in seats.values():
        if isinstance(player, Player):
            entry_check(contest=contest.pk, reader=player.user or AnonymousUser())
    # The attack: many requests at once, each of which sees no open table of its user yet.
    _opening_lock()
    players = {index: _named(contest, player) for index, player in seats.items() if isinstance(player, Player)}
    bots = {index: version for index, version in seats.items() if isinstance(version, BotVersion)}
    if not tables_count(own=contest.keeps_to_own_hosts):
        raise InputError(_("No table is ready just now: this arena has no worker of tables. Please try again later."))
    _check_limits(contest, players)
    _check_seats(contest, players, bots, real_time)
    contest_begin(contest=contest)
    original, turn = taken_over or (None, 0)
    match = _match_new(contest, len(seats), original, options or {})
    told = {index: secrets.token_urlsafe(_SECRET_BYTES) for index in players}
    remotes = [
        RemoteSeat(
            index=index,
            name=player.name,
            user=player.user,
            visitor="" if player.user else visitor_hash(player.visitor),
            secret_hash=secret_hash(told[index]),
            clock_seconds=player.clock_seconds,
            tries=player.tries,
        )
        for index, player in players.items()
    ]
    exhibition_create(match=match, bots={index: version.pk for index, version in bots.items()}, remotes=remotes)
    times = msgspec.to_builtins(real_time) if real_time else None
    played = _played(original, turn) if original else []
    Exhibition.objects.create(match=match, real_time=times, original=original, original_turn=turn, played=played)
    tables_announce()
    return Opened(match, told)


def visitors_forget() -> int:
    """Delete the hashes of guests' networks at tables that have ended; return how many there were."""
    ended = RemoteSeat.objects.exclude(visitor="").exclude(match__state__in=_OPEN)
    return ended.update(visitor="")


def tables_open_of(*, user: User | None, visitor: str) -> int:
    """Return how many open tables a user has, or if ``user`` is None the guests whose ``visitor_hash`` is ``visitor``.

    1 query.
    """
    own = Q(user=user) if user else Q(visitor=visitor, user=None)
    return RemoteSeat.objects.filter(own, match__state__in=_OPEN).values("match").distinct().count()


def tables_most(*, contest: Contest, user: User | None, visitor: str) -> int:
    """Return how many tables a user, or the guests of a network, may have open when one more of a contest is opened.

    At most 1 query. A contest may give its members more, or fewer; tables elsewhere count, too. ``visitor`` is
    ``Player.visitor`` of a guest; ``user`` is None then.
    """
    if user is None:
        return network_limit(name="tables", network=visitor)
    if contest.tables_each is not None and member_of(contest=contest.pk, reader=user):
        return contest.tables_each
    return int(settings.USER_LIMITS["tables"])


def visitor_hash(visitor: str) -> str:
    """Return what the database stores of a guest's ``Player.visitor``."""
    return salted_hmac("exhibitions.visitor", visitor, secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()


def _check_limits(contest: Contest, players: Mapping[int, Player]) -> None:
    """Check that each player may have one more table open, and that the line for a free place is not full.

    The attack: somebody opens tables by the thousand, and nobody else gets a place.

    Raises:
        InputError: a player has as many open tables as allowed, or ``LINE_MAX`` tables wait.
    """
    for player in set(players.values()):
        tables = tables_open_of(user=player.user, visitor="" if player.user else visitor_hash(player.visitor))
        most = tables_most(contest=contest, user=player.user, visitor=player.visitor)
        if tables >= most and player.user:
            raise InputError(
                ngettext(
                    "You have %(max)d open table, as many as one user may. Please end it first.",
                    "You have %(max)d open tables, as many as one user may. Please end one of them first.",
                    most,
                )
                % {"max": most}
            )
        if tables >= most:
            raise InputError(
                ngettext(
                    "Guests of your network have %(max)d open table, as many as they may. Please sign in, or end it.",
                    "Guests of your network have %(max)d open tables, as many as they may. Please sign in, or end one.",
                    most,
                )
                % {"max": most}
            )
    if WAITING.count() >= LINE_MAX:
        raise InputError(_("Very many people wait for a table just now. Please try again in a few minutes."))


def _check_seats(
    contest: Contest, players: Mapping[int, Player], bots: Mapping[int, BotVersion], real_time: RealTime | None
) -> None:
    if contest.game not in settings.GAMES:
        raise InputError(_("This arena does not play this game. Please choose another one."))
    if problem := play_problem(contest_state(contest=contest.pk)):
        raise InputError(problem)
    sizes = table_sizes(game_named(contest.game), contest_ruleset(contest=contest))
    size = len(players) + len(bots)
    if not players or size not in sizes or {*players, *bots} != set(range(size)):
        raise InputError(
            _("Tables of this game have %(sizes)s seats, numbered from 0. Please choose who has each of them.")
            % {"sizes": ", ".join(map(str, sizes))}
        )
    if len({version.pk for version in bots.values()}) < len(bots):
        raise InputError(_("A bot can have only one seat at a table. Please choose another bot for the other one."))
    for version in bots.values():
        if version.bot.contest_id != contest.pk or version.state != BotVersion.State.ACTIVE:
            raise InputError(
                _("%(name)s does not play just now: it has no active version. Choose another bot.")
                % {"name": version.bot.name}
            )
    for player in players.values():
        _check_player(contest, player, real_time)


def _named(contest: Contest, player: Player) -> Player:
    """Return a player; a guest whose name is that of somebody else gets it marked (``guest_name``)."""
    if player.user or len(player.name) > NAME_LENGTH_MAX:
        return player
    return player._replace(name=guest_name(contest=contest, name=player.name, chars_max=NAME_LENGTH_MAX))


def _check_player(contest: Contest, player: Player, real_time: RealTime | None) -> None:
    try:
        validate_bot_name(player.name)
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    if len(player.name) > NAME_LENGTH_MAX:
        raise InputError(_("Please choose a name of at most %(max)d characters.") % {"max": NAME_LENGTH_MAX})
    if player.user and is_name_of_another(contest=contest, name=player.name, user=player.user):
        raise InputError(
            _("Somebody else, or a bot, has the name %(name)s or one like it. Please choose another name.")
            % {"name": player.name}
        )
    if not 0 <= player.clock_seconds <= CLOCK_SECONDS_MAX:
        raise InputError(
            _("Please choose a clock of at most %(max)d seconds an answer; 0 is half an hour.")
            % {"max": CLOCK_SECONDS_MAX}
        )
    if not player.user and not player.clock_seconds and not real_time:
        # The attack: guests open tables, close the browser, and the tables wait for hours.
        raise InputError(_("Only signed-in players may think for half an hour. Please sign in, or choose a clock."))
    if not 1 <= player.tries <= TRIES_MAX:
        raise InputError(_("Please choose from 1 to %(max)d tries for each question.") % {"max": TRIES_MAX})


def _match_new(contest: Contest, size: int, original: Match | None, changes: Mapping[str, Any]) -> Match:
    rules, options = contest_rules(contest=contest)
    options |= changes
    seed = secrets.randbelow(SEEDS)
    if original:
        _check_original(contest, size, original)
        seed, options = original.seed, original.options
    return Match(
        contest=contest,
        kind=Match.Kind.EXHIBITION,
        queue_class=Match.QueueClass.TABLE,
        game=rules.name,
        rules_version=rules.rules_version,
        options=options,
        seed=seed,
        encounter=uuid.uuid4().hex,
    )


def _played(match: Match, turn: int) -> list[dict[int, list[str]]]:
    digest, turns = match.result.replay_digest, match.result.turns
    return answers_taken(game=match.game, rules_version=match.rules_version, digest=digest, turns=turns, turn=turn)


def _check_original(contest: Contest, size: int, original: Match) -> None:
    # The attack: a table, which everybody may watch, shows a private test or results that are hidden until a ceremony.
    secret = original.kind == Match.Kind.TRIAL or original.is_hidden or original.contest_id != contest.pk
    if secret or original.state != Match.State.FINISHED or not original.result.replay_digest:
        raise InputError(_("Nobody can take over a seat of this match. Please choose a finished match with a replay."))
    if original.seats.count() + original.remote_seats.count() != size:
        raise InputError(_("This match has another number of seats. Please give each of its seats to somebody."))
