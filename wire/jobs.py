"""The messages between the site and the playing workers: their types, and the names of tasks and queues.

Both sides validate every message on arrival by decoding it into these types. A message may be lost, doubled or late;
its lease token decides whether it still counts, by the site's database.
"""

from __future__ import annotations

import os
from typing import Annotated, Any

import msgspec

from core.message import Message
from wire.messages import message_check

PLAY_TASK = "workers.play_match"
TABLE_TASK = "workers.play_table"
BUILD_TASK = "workers.build_version"
TRY_TASK = "workers.try_program"
MATCH_HEARTBEAT_TASK = "matches.match_heartbeat"
MATCH_RESULT_TASK = "matches.match_result"
BUILD_PROGRESS_TASK = "ladder.build_progress"
BUILD_RESULT_TASK = "ladder.build_result"
TRY_PROGRESS_TASK = "workshop.try_progress"
TRY_RESULT_TASK = "workshop.try_result"
LANGUAGES_TASK = "ladder.languages_announced"
WORKER_BEAT_TASK = "ladder.worker_beat"
SELF_PING_TASK = "workers.echo"
ADJUST_COMMAND = "adjust"
"""Our command of Celery's remote control. It holds all that the site wants of a worker, so it may arrive twice."""

PLAY_QUEUE = "play"
TABLE_QUEUE = "table"
BUILD_QUEUE = "build"
TRY_QUEUE = "try"
_OF_JOBS = {PLAY_TASK: PLAY_QUEUE, TABLE_TASK: TABLE_QUEUE, BUILD_TASK: BUILD_QUEUE, TRY_TASK: TRY_QUEUE}
"""The queue of each task that is a job."""
JOB_TASKS = tuple(_OF_JOBS)
JOB_QUEUES = tuple(_OF_JOBS.values())
"""The queues of jobs, of which a worker consumes some."""
REPORT_QUEUE = "report"
SELF_PING_PREFIX = "echo."
"""Prefix of the queues for workers' pings to themselves; next comes the only broker user that may write there."""
SITE_KEY = "site.key"
"""The broker's key under which the site stores its public key (``wire.job_signing``)."""
QUEUES = {
    **_OF_JOBS,
    **dict.fromkeys((MATCH_HEARTBEAT_TASK, MATCH_RESULT_TASK, BUILD_PROGRESS_TASK, BUILD_RESULT_TASK), REPORT_QUEUE),
    **dict.fromkeys((TRY_PROGRESS_TASK, TRY_RESULT_TASK, LANGUAGES_TASK, WORKER_BEAT_TASK), REPORT_QUEUE),
}
"""The queue of each task."""
SWEEP_TASKS = ("matches.sweep", "exhibitions.sweep", "ladder.sweep_builds", "workshop.sweep", "ladder.sweep_workers")
"""Tasks that the site sends to ``REPORT_QUEUE``, so that reports which came earlier are handled before a sweep."""


def _lease_seconds() -> float:
    try:
        seconds = float(os.environ.get("LEASE_SECONDS") or 10)
    except ValueError:
        seconds = 0.0
    # With a longer lease, ``wire.health`` would report a working worker as stopped: it beats twice in a lease.
    if not 1 <= seconds <= 120:
        raise SystemExit("LEASE_SECONDS is no number from 1 to 120; leave it out for 10, or set it alike everywhere.")
    return seconds


LEASE_SECONDS = _lease_seconds()
"""After this long without a heartbeat the site gives a job to another worker; the same on every machine."""
HEARTBEAT_SECONDS = LEASE_SECONDS / 5
"""How often a worker renews the lease of its job."""
FIRST_HEARTBEAT_SECONDS = HEARTBEAT_SECONDS / 4
"""When a worker first renews a lease. A job that has ended by then sends no heartbeat, only its result."""
BEAT_SECONDS = LEASE_SECONDS / 2
"""How often a worker sends a ``WorkerBeat``, whether it has a job or not."""

_NO_NUL = r"\A[^\x00]*\Z"
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
# No text may hold NUL: PostgreSQL refuses it, and a report that cannot be stored would never count.
# Names of workers, languages, steps and verdicts are shown in logs, terminals and pages. The attack: a worker sends
# names with escape sequences, line breaks, marks that reverse the text around them, or invisible characters, so that
# one name looks like another.
_VISIBLE = "\\A[^\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*\\Z"
Word = Annotated[str, msgspec.Meta(max_length=20, pattern=_VISIBLE)]
Label = Annotated[str, msgspec.Meta(max_length=100, pattern=_VISIBLE)]
Name = Annotated[str, msgspec.Meta(max_length=100, pattern=_NO_NUL)]
Path = Annotated[str, msgspec.Meta(max_length=200, pattern=_NO_NUL)]
Sentence = Annotated[str, msgspec.Meta(max_length=1_000, pattern=_NO_NUL)]
LogText = Annotated[str, msgspec.Meta(max_length=80_000, pattern=_NO_NUL)]
Token = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
# Bounds of numbers: one that the database's column cannot hold, or NaN, would make a report fail each time.
Key = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Processes = Annotated[int, msgspec.Meta(ge=0, le=1_024)]
Measured = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
Points = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
Status = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**32)]
"""Exit code or signal number of a process."""
AGAIN_MAX = 1
"""How many attempts of a match are repeated because a bot waited for a core; later attempts count nevertheless."""
GAME_FAILED = "worker-game-failed"
"""The kind of the message ``platform_fault`` in the report of a match whose rules failed."""
RULES, MEMORY = "rules", "memory"
"""Values of ``lacks`` in reports: the worker has not this version of a game's rules, or no memory for its bots."""


class WireMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all messages; site and workers may be of different releases of one major version.

    So a new field has a default, and no field is taken away.
    """


class SiteJob(WireMessage, frozen=True, omit_defaults=True):
    """Base of jobs and their parts, which are sent without fields that have their defaults.

    A worker of an earlier release can then play what it knows. It drops a job with a field that it does not know, since
    it would play another match than the one that is meant.
    """


class WorkerReport(WireMessage, frozen=True, forbid_unknown_fields=False):
    """Base of workers' messages and their parts; the site ignores fields that it does not know."""


class SeatProgram(SiteJob, frozen=True):
    """The bot on one seat of a match: the URL of its artifact, and how to start it."""

    name: Name
    version: Word
    """The version's number, as people see it."""
    artifact_url: str
    """Signed URL; its signature expires with the lease."""
    artifact_digest: Sha256
    """SHA-256 of the artifact, a tar of regular files."""
    language: Word
    entry: Path
    """Path of the entry point inside the artifact."""


class BotLimits(WireMessage, frozen=True):
    """What each bot of a match may use; ``sandbox.api.Limits`` explains the names, all but the last.

    The site takes the values from the game and the arena's settings. The bounds in the types are the most that a worker
    grants to any job: a job that asks for more is malformed and is dropped.
    """

    memory_mib: Annotated[int, msgspec.Meta(ge=64, le=4_096)] = 256
    pids_max: Annotated[int, msgspec.Meta(ge=16, le=512)] = 64
    open_files_max: Annotated[int, msgspec.Meta(ge=32, le=1_024)] = 128
    file_mib: Annotated[int, msgspec.Meta(ge=1, le=1_024)] = 16
    tmp_mib: Annotated[int, msgspec.Meta(ge=1, le=1_024)] = 32
    start_cpu_ms: Annotated[int, msgspec.Meta(ge=1_000, le=60_000)] = 5_000
    time_percent: Annotated[int, msgspec.Meta(ge=25, le=400)] = 100
    """CPU time for each answer, in percent of what the game's rules allow."""


class Job(SiteJob, frozen=True, kw_only=True):
    """What all jobs have."""

    attempt: Count
    lease_token: Token
    game: Name
    options: dict[str, Any]
    """Options of the ruleset. They hold for a build's check match as well, as do ``seed`` and ``limits``."""
    seed: int
    replay_url: str
    """Signed URL to PUT the replay to, and the turn log if there is one."""
    limits: BotLimits = BotLimits()
    """Limits of each bot; the build step has limits of its own."""


class ProgramJob(Job, frozen=True, kw_only=True):
    """What jobs have that build a program and play a match with it."""

    name: Name
    """The program's bot; a replay calls it so."""
    bundle_url: str
    bundle_digest: Sha256
    language: Word | None
    """The language's name; None: detect it by the file names."""
    languages: Annotated[list[Word], msgspec.Meta(max_length=50)]
    """Names of the languages that the contest allows; empty: all."""
    opponent: SeatProgram | None
    """The bot on all other seats; None: copies of the program itself."""
    players: Annotated[int, msgspec.Meta(ge=1, le=8)]
    """Seats of the match."""


class PlayJob(Job, frozen=True, kw_only=True):
    """Play one match."""

    match_id: Key
    rules_version: Name
    seats: list[SeatProgram]


class RemoteProgram(SiteJob, frozen=True):
    """A remote seat of a table: a person in a browser, or a program on the player's own machine."""

    name: Name
    clock_seconds: Annotated[int, msgspec.Meta(ge=0, le=3_600)]
    """Wall time for each answer; 0: ``wire.tables.UNCLOCKED_SECONDS_MAX``."""
    tries: Annotated[int, msgspec.Meta(ge=1, le=10)] = 1
    """How many answers to one question may be illegal, the last of which puts the seat out of the match."""


class RealTime(SiteJob, frozen=True):
    """A table in real time: all turns last equally long, whatever seats answer; the last answer of each counts.

    A seat without a legal answer does nothing in the turn, without fault.
    """

    start_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)]
    """Time before the first turn."""
    operation_seconds: Annotated[int, msgspec.Meta(ge=1, le=60)]
    """How long a turn takes answers."""
    transition_seconds: Annotated[int, msgspec.Meta(ge=0, le=60)]
    """Time after each turn in which no answer is taken."""
    idle_line: Name
    """What stands for doing nothing in each line of an answer of the game."""


class TableJob(Job, frozen=True, kw_only=True):
    """Play one match in which some seats are remote. Its messages to and from them are those of ``wire.tables``."""

    match_id: Key
    rules_version: Name
    bots: dict[int, SeatProgram]
    """The bots, by seat."""
    remotes: dict[int, RemoteProgram]
    """The remote seats, by seat; together with the bots all seats from 0."""
    real_time: RealTime | None = None
    """None: a turn lasts until all seats have answered."""
    played: list[dict[int, list[str]]] = []
    """The answers by seat of turns that are played at once, before anybody is asked: somebody takes over a seat.

    Bots are asked in these turns, too, so that they know the match; their answers are thrown away.
    """


class BuildJob(ProgramJob, frozen=True, kw_only=True):
    """Check and build one uploaded version and play its check match."""

    version_id: Key
    version: Word
    """The version's number, as people see it."""
    artifact_url: str
    """Signed URL to PUT the artifact to."""


class TryJob(ProgramJob, frozen=True, kw_only=True):
    """Build a program and play one match with it, for its author alone; nothing of it is kept but replay and log."""

    try_id: Key
    rules_version: Name
    seat: Annotated[int, msgspec.Meta(ge=0, le=7)]
    """The seat of the program."""
    played: list[dict[int, list[str]]]
    """The answers by seat of the first turns, as in ``TableJob``, when the match goes on from a turn of another one."""


class Heartbeat(WorkerReport, frozen=True):
    """A worker still plays a match; renews the match's lease."""

    match_id: Key
    lease_token: Token
    worker: Label
    seconds: Seconds = 0.0
    """Seconds since the worker took the match, by the worker's own clock."""


class FaultReport(WorkerReport, frozen=True):
    """A bot's fault with its evidence. Only the bot's owner may see all of it."""

    verdict: Word
    why: Message
    """Which fault it is; seats in the message's values are seats of the match."""
    turn: Count
    exit_code: Status | None = None
    signal: Status | None = None
    last_input: LogText = ""
    last_output: LogText = ""
    stderr: LogText = ""
    cpu_ms: Measured = 0.0
    wall_ms: Measured = 0.0
    memory_peak_mib: Measured = 0.0

    def __post_init__(self) -> None:
        """Raise ValueError if ``why`` cannot be stored or said; see ``message_check``."""
        message_check(self.why)


class SeatReport(WorkerReport, frozen=True):
    """The result of one seat."""

    rank: Annotated[int, msgspec.Meta(ge=1, le=8)]
    score: Points
    cpu_ms_total: Measured
    cpu_ms_worst: Measured
    fault: FaultReport | None = None


class MatchReport(WorkerReport, frozen=True):
    """The result of one attempt; ``seats`` is empty when the platform failed."""

    match_id: Key
    attempt: Count
    lease_token: Token
    worker: Label
    turns: Count
    seats: Annotated[list[SeatReport], msgspec.Meta(max_length=8)]
    replay_digest: Sha256 | None
    log_digest: Sha256 | None = None
    """SHA-256 of the turn log (``wire.turnlog``); None if there is none, because it has no more than the replay."""
    platform_fault: Message | None = None
    lacks: Word = ""
    """What this worker lacks and another may have: a language's name, ``RULES`` or ``MEMORY``. ``platform_fault`` says
    it to people. Empty: nothing."""
    seconds: Seconds = 0.0
    """Seconds since the worker took the match, by the worker's own clock."""

    def __post_init__(self) -> None:
        """Raise ValueError if ``platform_fault`` cannot be stored or said; see ``message_check``."""
        message_check(self.platform_fault)


class BuildProgress(WorkerReport, frozen=True):
    """A build has reached a step; renews the build's lease."""

    version_id: Key
    lease_token: Token
    step: Word
    worker: Label


class ProgramReport(WorkerReport, frozen=True, kw_only=True):
    """What the results of builds and tries have in common."""

    language: Word = ""
    entry: Path = ""
    failed_step: Word | None = None
    verdict: Word = ""
    why: Message | None = None
    """Why the build failed in that step."""
    log: LogText = ""
    """What the build step wrote."""
    replay_digest: Sha256 | None = None
    log_digest: Sha256 | None = None
    """SHA-256 of the match's turn log, as in ``MatchReport``; a try always has one with its replay."""
    platform_fault: Message | None = None
    lacks: Word = ""
    """As in ``MatchReport``. If it is a language, the site rejects the program only if no other worker has it."""

    def __post_init__(self) -> None:
        """Raise ValueError if ``why`` or ``platform_fault`` cannot be stored or said; see ``message_check``."""
        message_check(self.why)
        message_check(self.platform_fault)


class BuildReport(ProgramReport, frozen=True):
    """The result of a build; exactly one of ``artifact_digest`` (built), ``failed_step``, ``platform_fault`` is set."""

    version_id: Key
    lease_token: Token
    worker: Label
    artifact_digest: Sha256 | None = None
    artifact_bytes: Key = 0


class TryProgress(WorkerReport, frozen=True):
    """A try has reached a step; renews its lease."""

    try_id: Key
    lease_token: Token
    step: Word
    worker: Label


class TryReport(ProgramReport, frozen=True):
    """The result of a try: a match with its ``seats``, a ``failed_step``, or a ``platform_fault``."""

    try_id: Key
    lease_token: Token
    worker: Label
    turns: Count = 0
    seats: Annotated[list[SeatReport], msgspec.Meta(max_length=8)] = []
