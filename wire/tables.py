"""What a worker and the remote seats of a table tell each other, through keys of Redis that belong to one lease.

For each remote seat the worker adds entries to a stream; the site hands them on to the seat's player, who may connect
anew at any time and reads the stream from its beginning. An entry has either the field ``LINES_FIELD``, lines of the
replay as the seat may see them, or the field ``TOLD_FIELD``, a message of the type ``Told``. The site puts the player's
answers into a list, from which the worker takes them.

Everybody else watches the live stream (``wire.live``), which a table fills as any match does, with two differences: the
header has the seed 0, since the seed tells what comes; and a game that hides something (``Game.hides``) adds nothing to
it before the end.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec

from wire.jobs import Count, WireMessage, Word, WorkerReport
from wire.live import token_hash

SEAT_PREFIX = "table."
ANSWERS_PREFIX = "answers."
TOLD_FIELD = b"told"
"""The field of a stream's entry that holds a message of the type ``Told``; others hold ``wire.live.LINES_FIELD``."""
TABLE_SECONDS_MAX = 4 * 3600
"""The longest that a table may last: its worker ends it with a fault of the seat that it waits for."""
IDLE_SECONDS = 90
"""How long a seat may leave a question unanswered while other tables wait for a place; then it is out."""
UNCLOCKED_SECONDS_MAX = 1_800
"""The longest that a seat without a clock is waited for in one turn. A place at a table is freed some time after its
player's machine has gone, and a bot may stand in a debugger for long."""
ANSWER_CHARS_MAX = 2_000
"""Characters of all lines of an answer; the referee refuses longer ones as well."""
ANSWER_LINES_MAX = 100
TABLE_KEY_SECONDS = 600
"""The keys of a table expire when its worker has not renewed them for this long."""


class Question(WorkerReport, frozen=True, tag=True):
    """A seat is asked. It stays open until the next ``Question`` or ``Out``, or lines of the replay."""

    number: Count
    """1, 2, 3 .. for each seat; an answer names it, so that a late or doubled one does not count."""
    turn: Count
    lines: list[str]
    """What a bot would read; the first question begins with the introduction."""
    answer_lines: Count
    offered: list[list[str]]
    """The legal texts of each line of the answer (``Game.lines_offered``)."""
    seconds: float
    """Wall time for the answer, from the time of the entry; 0: no limit."""
    refused: dict[str, Any] | None = None
    """Why the answer before was refused (a message); None: this question is a new one."""
    cpu_ms: Count = 0
    """CPU time that a bot of the arena would have for this answer, for programs that want to keep to it at home."""
    tries: Count = 1
    """How many illegal answers the seat has left, this one included."""


class Out(WorkerReport, frozen=True, tag=True):
    """The seat is out of the match, and is asked no more."""

    turn: Count
    verdict: Word
    why: dict[str, Any]
    """The reason: a message, as ``core.message.stored`` returns it."""


Told = Question | Out


class Answer(WireMessage, frozen=True):
    """An answer to a question, or the wish to leave."""

    number: Count
    """The number of the question."""
    lines: Annotated[list[str], msgspec.Meta(max_length=ANSWER_LINES_MAX)] = []
    leaves: bool = False
    """Whether the player gives up: the seat is out."""
    is_idle: bool = False
    """Whether the site says ``leaves`` for a player who has not answered for ``IDLE_SECONDS``."""


def seat_prefix(host: str) -> str:
    """Return the prefix of the streams of seats at a host's tables; its broker user may add to no others."""
    return f"{SEAT_PREFIX}{host}."


def answers_prefix(host: str) -> str:
    """Return the prefix of the lists of answers at a host's tables; its broker user may read no others.

    The attack: a worker that was taken over reads or takes the answers of players at the tables of other hosts.
    """
    return f"{ANSWERS_PREFIX}{host}."


def seat_key(lease_token: str, seat: int, *, host: str) -> str:
    """Return the name of a seat's stream in an attempt that a host plays; see ``wire.live.live_prefix``."""
    return f"{seat_prefix(host)}{token_hash(lease_token)}.{seat}"


def answers_key(lease_token: str, seat: int, *, host: str) -> str:
    """Return the name of the list of a seat's answers; the arguments are those of ``seat_key``."""
    return f"{answers_prefix(host)}{token_hash(lease_token)}.{seat}"
