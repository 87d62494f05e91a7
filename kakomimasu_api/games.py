"""Reads games of the API: from the broker while their table is played, and from the stored replay afterwards."""

from __future__ import annotations

import time
import uuid
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import structlog
from django.conf import settings
from django.utils.translation import gettext as _
from redis import RedisError

from contests.models import Contest
from contests.selectors.contests import contests_open
from core.record import Footer, Header, Line, TurnLine
from exhibitions.selectors.opponents import opponent_named, opponents_offered
from exhibitions.selectors.seats import SeatKeys, seat_broker, seat_keys
from games.kakomimasu import boards
from kakomimasu_api.bodies import Code, Refused
from kakomimasu_api.mapping import Frame, Player, Shown, Times, game_json
from kakomimasu_api.models import KakomimasuGame
from ladder.models import BotVersion
from matches.live import BadLines, line_kind
from matches.models import Match
from matches.selectors.matches import ReplayUnreadable, match_replay_digest, replay_records
from wire.live import LINES_FIELD, MATCH_BYTES_MAX
from wire.tables import TOLD_FIELD, Question, Told

GAME = "kakomimasu"
START_SECONDS = 5
"""Time between the first state and the first turn, as in the project's own server."""
SAMPLE_AIS = ("none", "a1", "a2", "a3", "a4", "a5")
"""The programs of the project's own server, the weakest first, which many clients name."""
_TURN_WAIT_SECONDS = 2.0
"""How long after the beginning of a turn requests wait until the worker has asked for it."""
_EARLY_SECONDS = 0.04
"""How long before its beginning a turn takes requests: the timers of programs fire some milliseconds early."""
_POLL_SECONDS = 0.02

# The whole stream in one step, unless it is longer than any honest worker's. The attack: a worker that was taken over
# adds hundreds of megabytes, and for each request the site reads them into memory.
_READ = """
local entries, bytes = redis.call('XRANGE', KEYS[1], '-', '+'), 0
for _, entry in ipairs(entries) do
    for _, part in ipairs(entry[2]) do bytes = bytes + #part end
end
if bytes > tonumber(ARGV[1]) then return false end
return entries
"""

log = structlog.get_logger(__name__)


class _Stream(NamedTuple):
    """What the stream of a seat holds."""

    started_at: int | None
    lines: list[Line]
    question: Question | None
    """The question after which no line has come."""

    @property
    def turns(self) -> list[TurnLine]:
        """The turns that have been played."""
        return [line for line in self.lines if isinstance(line, TurnLine)]

    @property
    def reached(self) -> int:
        """The last turn for which the worker has asked."""
        return self.question.turn if self.question else len(self.turns)

    @property
    def has_ended(self) -> bool:
        """Whether the last line has come."""
        return any(isinstance(line, Footer) for line in self.lines)


def contest_of_api() -> Contest:
    """Return the contest whose bots play here; raise Refused if this arena has no Kakomimasu."""
    found = next((contest for contest in contests_open() if contest.game == GAME), None)
    if found is None or GAME not in settings.GAMES:
        raise Refused(Code.NOT_FOUND, _("This arena does not play Kakomimasu."), status=404)
    return found


def ai_named(*, contest: Contest, name: str) -> BotVersion:
    """Return the version of the bot that a program wants to play against; raise Refused if none is active.

    The name is the bot's, or one of ``SAMPLE_AIS``, which stand for our bots from the weakest to the strongest.
    """
    if version := opponent_named(contest=contest, name=name):
        return version
    offered = opponents_offered(contest=contest)
    if name in SAMPLE_AIS and offered:
        place = SAMPLE_AIS.index(name) * (len(offered) - 1) // (len(SAMPLE_AIS) - 1)
        return offered[-1 - place].version
    raise Refused(Code.NO_AI, _("No active bot has this name. Please choose one that is on the board of the contest."))


def board_named(name: str) -> boards.Board:
    """Return a published board; raise Refused if there is none of this name."""
    if name not in boards.NAMES:
        sentence = _("There is no board of this name. Please choose one of %(names)s.")
        raise Refused(Code.NO_BOARD, sentence % {"names": ", ".join(boards.NAMES)})
    return boards.named(name)


def game_found(*, key: str) -> KakomimasuGame:
    """Return a game by its id, with its match (1 query); raise Refused if there is none."""
    try:
        number = uuid.UUID(key)
    except ValueError:
        number = None
    games = KakomimasuGame.objects.select_related("match__exhibition", "waiting_user")
    found = games.filter(pk=number).first() if number else None
    if found is None:
        raise Refused(Code.NO_GAME, _("There is no game with this id, or not any more."))
    return found


def game_shown(*, game: KakomimasuGame, arrived: float) -> dict[str, Any]:
    """Return a game as the API tells it (2 or 3 queries, and 1 request to the broker while it is played).

    Args:
        game: as ``game_found`` returns it.
        arrived: Unix time at which the request reached the site, which decides whether it is between two turns.

    Raises:
        Refused: the game is between two turns, or cannot be read now.
    """
    times = Times(game.operation_seconds, game.transition_seconds, None)
    if game.match is None:
        player = Player(game.waiting_name, game.waiting_user is None, (game.specs or [""])[0])
        return _told(game, [player], times, Shown("free", 0, None, []))
    if game.match.state in (Match.State.FINISHED, Match.State.VOID):
        return _ended(game, game.match, times)
    stream = stream_awaited(game=game, match=game.match, arrived=arrived)
    times = times._replace(started_at=stream.started_at)
    return _told(game, _players(game, game.match), times, _shown(game, stream, arrived))


def is_begun(*, match: Match) -> bool:
    """Return whether the table of a new match has shown its first state, or the match has ended (2 queries at most).

    Raises:
        Refused: the broker is away, or the table cannot be read.
    """
    match.refresh_from_db(fields=["state", "lease_token"])
    if match.state in (Match.State.FINISHED, Match.State.VOID):
        return True
    return match.state == Match.State.RUNNING and _stream(_keys(match)).started_at is not None


def _told(game: KakomimasuGame, players: Sequence[Player], times: Times, shown: Shown) -> dict[str, Any]:
    published = board_named(game.board)
    board = boards.Board(published.points, game.agents, game.turns)
    name = " - ".join(player.name for player in players)
    try:
        return game_json(key=str(game.pk), name=name, board=board, players=players, times=times, shown=shown)
    except (msgspec.ValidationError, IndexError) as error:
        raise _unreadable(error) from error


def _players(game: KakomimasuGame, match: Match) -> list[Player]:
    """Return who has the seats (2 queries)."""
    bots = match.seats.values_list("index", "version__bot__name")
    found = {index: Player(name, is_guest=False) for index, name in bots}
    specs = dict(enumerate(game.specs or []))
    for seat in match.remote_seats.all():
        found[seat.index] = Player(seat.name, is_guest=seat.user_id is None, spec=specs.get(seat.index, ""))
    return [found[index] for index in sorted(found)]


def _ended(game: KakomimasuGame, match: Match, times: Times) -> dict[str, Any]:
    """Return a game that is over; without its board if it ended without a result."""
    digest = match_replay_digest(pk=match.pk)
    shown = Shown("ended", game.turns, None, [])
    if digest:
        try:
            records = replay_records(digest=digest)
            turns = [msgspec.convert(record, TurnLine) for record in records[1:-1]]
            shown = Shown("ended", len(turns), msgspec.convert(records[0]["frame"], Frame), turns)
        except (ReplayUnreadable, msgspec.ValidationError) as error:
            raise _unreadable(error) from error
    seconds = times.operation_seconds + times.transition_seconds
    if match.finished_at:
        times = times._replace(started_at=int(match.finished_at.timestamp()) - shown.turn * seconds)
    return _told(game, _players(game, match), times, shown)


def _shown(game: KakomimasuGame, stream: _Stream, arrived: float) -> Shown:
    """Return what may be seen of a game whose table is open, by the clock as in the project's own server.

    If the worker is late, that is the turn before.

    Raises:
        Refused: the game is between two turns; programs ask again soon.
    """
    first = next((msgspec.convert(line.frame, Frame) for line in stream.lines if isinstance(line, Header)), None)
    turns = stream.turns
    if stream.has_ended:
        return Shown("ended", len(turns), first, turns)
    by_clock, takes_actions = _moment(game, stream, arrived)
    if not by_clock and not stream.question:
        return Shown("ready", 0, first, turns)
    reached = stream.question.turn if stream.question else len(turns) + 1
    if not takes_actions and by_clock <= game.turns and (reached == by_clock or not stream.question):
        raise Refused(Code.TRANSITION, _("It is between two turns. Please ask again when the next one has begun."))
    return Shown("gaming", min(reached, game.turns), first, turns)


def _moment(game: KakomimasuGame, stream: _Stream, arrived: float) -> tuple[int, bool]:
    times = Times(game.operation_seconds, game.transition_seconds, stream.started_at)
    return times.moment(arrived + _EARLY_SECONDS)


def stream_awaited(*, game: KakomimasuGame, match: Match, arrived: float) -> _Stream:
    """Return the stream of a game's match; if a turn has just begun, or the game ended, by the clock, await the worker.

    Programs ask once when a turn begins, by their clocks, and some give up if it has not. ``arrived`` is the Unix time
    at which the request reached the site. Raises Refused as ``_stream`` does.
    """
    keys = _keys(match)
    stream = _stream(keys)
    while time.time() < _awaited_until(game, stream, arrived):
        time.sleep(_POLL_SECONDS)
        stream = _stream(keys)
    return stream


def _awaited_until(game: KakomimasuGame, stream: _Stream, arrived: float) -> float:
    """Return the Unix time until which a request waits for the worker; 0: not at all.

    The attack: many requests for a game whose worker is gone, or far behind, each keep a thread of the site waiting.
    """
    turn, takes_actions = _moment(game, stream, arrived)
    if stream.started_at is None or stream.has_ended or not turn:
        return 0.0
    if turn > game.turns or (turn == game.turns and not takes_actions):
        due = (game.turns - 1) * (game.operation_seconds + game.transition_seconds) + game.operation_seconds
    elif takes_actions and stream.reached == turn - 1:
        due = (turn - 1) * (game.operation_seconds + game.transition_seconds)
    else:
        return 0.0
    return stream.started_at + due + _TURN_WAIT_SECONDS


def _keys(match: Match) -> SeatKeys | None:
    """Return the keys of a match's first remote seat, whose stream hides nothing in this game (1 query)."""
    seat = match.remote_seats.order_by("index").first()
    if seat is None:
        return None
    seat.match = match
    return seat_keys(seat=seat)


def _stream(keys: SeatKeys | None) -> _Stream:
    """Read the stream of a match; without keys it is empty.

    Raises:
        Refused: the broker is away, or a worker has added what is no part of a replay.
    """
    if keys is None:
        return _Stream(None, [], None)
    try:
        entries: Any = seat_broker().eval(_READ, 1, keys.stream, 2 * MATCH_BYTES_MAX)
        return _read(entries or [])
    except RedisError as error:
        sentence = _("The game cannot be read just now. Please ask again in a few seconds.")
        raise Refused(Code.SERVER, sentence, status=503) from error
    except (BadLines, msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise _unreadable(error) from error


def _read(entries: Sequence[tuple[bytes, list[bytes]]]) -> _Stream:
    lines: list[Line] = []
    question = None
    for _entry, (field, value, *_others) in entries:
        if field == LINES_FIELD:
            kinds = [(line_kind(line), line) for line in value.split(b"\n")]
            lines += [msgspec.json.decode(line, type=kind) for kind, line in kinds]
            question = None
        elif field == TOLD_FIELD:
            told = msgspec.json.decode(value, type=Told)
            question = told if isinstance(told, Question) else None
    # The worker shows the first state at a whole second (``workers.tables``); an id begins with its time in ms.
    started_at = int(entries[0][0].split(b"-")[0]) // 1_000 + START_SECONDS if entries else None
    return _Stream(started_at, lines, question)


def _unreadable(error: Exception) -> Refused:
    log.warning("kakomimasu_game_unreadable", error=str(error))
    return Refused(Code.SERVER, _("This game cannot be read. Please begin another one."), status=500)
