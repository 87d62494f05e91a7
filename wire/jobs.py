"""The messages between the site and the playing workers: types, names of tasks and queues, nothing else.

Both sides check every message on arrival by decoding it into these types. The site owns the truth: a message may be
lost, doubled or late, and the lease token in it decides whether it still counts.
"""

from __future__ import annotations

import os
from typing import Annotated, Any

import msgspec

PLAY_TASK = "workers.play_match"
BUILD_TASK = "workers.build_version"
MATCH_HEARTBEAT_TASK = "matches.match_heartbeat"
MATCH_RESULT_TASK = "matches.match_result"
BUILD_PROGRESS_TASK = "ladder.build_progress"
BUILD_RESULT_TASK = "ladder.build_result"
LANGUAGES_TASK = "ladder.languages_announced"
WORKER_BEAT_TASK = "ladder.worker_beat"
ECHO_TASK = "workers.echo"
ADJUST_COMMAND = "adjust"
"""Of Celery's remote control, ours: says what is wanted of a worker, whole, so that it may be said twice."""

PLAY_QUEUE = "play"
BUILD_QUEUE = "build"
REPORT_QUEUE = "report"
ECHO_PREFIX = "echo."
"""Of the queues in which workers hear themselves. Next comes the user of the broker that alone may write there."""
SITE_KEY = "site.key"
"""Where the broker has the public key of the site (``wire.job_signing``)."""
QUEUES = {
    PLAY_TASK: PLAY_QUEUE,
    BUILD_TASK: BUILD_QUEUE,
    MATCH_HEARTBEAT_TASK: REPORT_QUEUE,
    MATCH_RESULT_TASK: REPORT_QUEUE,
    BUILD_PROGRESS_TASK: REPORT_QUEUE,
    BUILD_RESULT_TASK: REPORT_QUEUE,
    LANGUAGES_TASK: REPORT_QUEUE,
    WORKER_BEAT_TASK: REPORT_QUEUE,
}
"""Where the messages of each task go."""
SWEEP_TASKS = ("matches.sweep", "ladder.sweep_builds", "ladder.sweep_workers")
"""The site's own, which wait behind the reports that came before them."""


def _lease_seconds() -> float:
    try:
        seconds = float(os.environ.get("LEASE_SECONDS") or 10)
    except ValueError:
        seconds = 0.0
    # Longer ones would hold a worker for stopped that beats twice in a lease (``wire.health``).
    if not 1 <= seconds <= 120:
        raise SystemExit("LEASE_SECONDS is no number from 1 to 120; leave it out for 10, or set it alike everywhere.")
    return seconds


LEASE_SECONDS = _lease_seconds()
"""How long the site waits for a sign of life before the work is given to somebody else; the same on every machine."""
HEARTBEAT_SECONDS = LEASE_SECONDS / 5
"""How often a worker renews the lease of what it works on."""
FIRST_HEARTBEAT_SECONDS = HEARTBEAT_SECONDS / 4
"""When it first does. What has ended by then is told by its result alone."""
BEAT_SECONDS = LEASE_SECONDS / 2
"""How often a worker says how it is, whether it works or not."""

_NO_NUL = r"\A[^\x00]*\Z"
Sha256 = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
# No NUL in any text: PostgreSQL refuses it, and a report that cannot be stored would never count.
# What workers call themselves, and the words they use for languages, steps and verdicts, is read in logs, terminals and
# pages, by spectators and by whoever looks for the guilty one. The attack: escape sequences, lines of one's own, marks
# that reverse the text around them, or letters that no reader sees, so that one name looks like another.
_ALL_SEEN = "\\A[^\x00-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]*\\Z"
Word = Annotated[str, msgspec.Meta(max_length=20, pattern=_ALL_SEEN)]
Label = Annotated[str, msgspec.Meta(max_length=100, pattern=_ALL_SEEN)]
Name = Annotated[str, msgspec.Meta(max_length=100, pattern=_NO_NUL)]
Path = Annotated[str, msgspec.Meta(max_length=200, pattern=_NO_NUL)]
Sentence = Annotated[str, msgspec.Meta(max_length=1_000, pattern=_NO_NUL)]
Log = Annotated[str, msgspec.Meta(max_length=80_000, pattern=_NO_NUL)]
Token = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{32}$")]
# A number that no column can hold, or that is none, would make a report fail for ever.
Key = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
Processes = Annotated[int, msgspec.Meta(ge=0, le=1_024)]
Measured = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
Seconds = Annotated[float, msgspec.Meta(ge=0, le=86_400)]
Points = Annotated[float, msgspec.Meta(ge=-1e12, le=1e12)]
Status = Annotated[int, msgspec.Meta(ge=-(2**31), le=2**32)]
"""How a process ended, as systems number it."""
AGAIN_MAX = 1
"""So many attempts of a match are given back because a bot has waited; the next one counts, however long one waits."""
RULES = "rules"
"""What a worker lacks that plays a game by other rules than the site, or does not know it: it is to be updated."""
NAMES_MAX = 20
"""Of files or endings that a language has. The pages of uploads tell them all, to everybody."""


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all messages."""


class SeatProgram(Message, frozen=True):
    """One bot in a match: where its artifact is and how it is started."""

    name: Name
    version: Word
    """Its number, as people see it."""
    artifact_url: str
    """Signed, ends with the lease."""
    artifact_digest: Sha256
    """SHA-256 of the artifact, a tar of regular files."""
    language: Word
    entry: Path
    """Path of the entry point inside the artifact."""


class BotLimits(Message, frozen=True):
    """What each bot of a match may use while it lives; the sandbox's table (``sandbox.api.Limits``) explains the names.

    The site tells them, from what the game declares and the arena is set to. The bounds are what a worker gives at
    most, whoever has written the message: a job that asks for more is malformed and is dropped.
    """

    memory_mib: Annotated[int, msgspec.Meta(ge=64, le=4_096)] = 256
    pids_max: Annotated[int, msgspec.Meta(ge=16, le=512)] = 64
    open_files_max: Annotated[int, msgspec.Meta(ge=32, le=1_024)] = 128
    file_mib: Annotated[int, msgspec.Meta(ge=1, le=1_024)] = 16
    tmp_mib: Annotated[int, msgspec.Meta(ge=1, le=1_024)] = 32
    start_cpu_ms: Annotated[int, msgspec.Meta(ge=1_000, le=60_000)] = 5_000


class PlayJob(Message, frozen=True):
    """Play one match."""

    match_id: Key
    attempt: Count
    lease_token: Token
    game: Name
    rules_version: Name
    options: dict[str, Any]
    seed: int
    seats: list[SeatProgram]
    replay_url: str
    """Signed address to PUT the replay to, and the log of the turns if there is one."""
    limits: BotLimits = BotLimits()


class BuildJob(Message, frozen=True):
    """Check and build one uploaded version and play its check match."""

    version_id: Key
    attempt: Count
    lease_token: Token
    name: Name
    """Of its bot."""
    version: Word
    """Its number, as people see it."""
    game: Name
    bundle_url: str
    bundle_digest: Sha256
    language: Word | None
    """None: detect it by the file names."""
    opponent: SeatProgram | None
    """Whom it plays its check match against; None: a copy of itself (the first bot of an arena has no other)."""
    seed: int
    artifact_url: str
    """Signed address to PUT the artifact to."""
    replay_url: str
    """As in the job of any match."""
    limits: BotLimits = BotLimits()
    """Of the check match; a build step has its own."""


class Heartbeat(Message, frozen=True):
    """A worker plays a match, and is alive."""

    match_id: Key
    lease_token: Token
    worker: Label
    seconds: Seconds = 0.0
    """Since it took the match, by its own clock."""


class FaultReport(Message, frozen=True):
    """A bot's fault with its evidence, shown in full to the owner alone."""

    verdict: Word
    sentence: Sentence
    turn: Count
    exit_code: Status | None = None
    signal: Status | None = None
    last_input: Log = ""
    last_output: Log = ""
    stderr: Log = ""
    cpu_ms: Measured = 0.0
    wall_ms: Measured = 0.0
    memory_peak_mib: Measured = 0.0


class SeatReport(Message, frozen=True):
    """How one seat ended."""

    rank: Annotated[int, msgspec.Meta(ge=1, le=8)]
    score: Points
    cpu_ms_total: Measured
    cpu_ms_worst: Measured
    fault: FaultReport | None = None


class MatchReport(Message, frozen=True):
    """The result of one attempt; ``seats`` is empty when the platform failed."""

    match_id: Key
    attempt: Count
    lease_token: Token
    worker: Label
    turns: Count
    seats: Annotated[list[SeatReport], msgspec.Meta(max_length=8)]
    replay_digest: Sha256 | None
    log_digest: Sha256 | None = None
    """The turns as their owners may see them (``wire.turnlog``), where that is more than the replay."""
    platform_fault: Sentence | None = None
    lacks: Word = ""
    """What this worker has not, and another may have: a language by its name, or ``RULES``; a platform fault tells it
    in words."""
    seconds: Seconds = 0.0
    """Since the worker took the match, by its own clock."""


class BuildProgress(Message, frozen=True):
    """A build has reached a step; also its heartbeat."""

    version_id: Key
    lease_token: Token
    step: Word
    worker: Label


class BuildReport(Message, frozen=True):
    """How a build ended. Exactly one of: ``artifact_digest`` (built), ``failed_step``, ``platform_fault``."""

    version_id: Key
    lease_token: Token
    worker: Label
    artifact_digest: Sha256 | None = None
    artifact_bytes: Key = 0
    language: Word = ""
    entry: Path = ""
    failed_step: Word | None = None
    verdict: Word = ""
    sentence: Sentence = ""
    log: Log = ""
    replay_digest: Sha256 | None = None
    log_digest: Sha256 | None = None
    """The turns of the check match, as in the report of any match."""
    platform_fault: Sentence | None = None
    lacks: Word = ""
    """As in the report of a match; for a language, the version is rejected only if no other worker has it."""


class WorkingLanguage(Message, frozen=True):
    """A language whose self-test program has built and answered in the sandbox of a worker."""

    name: Word
    title: Label
    version: Word
    """Of its compiler or interpreter."""
    entries: Annotated[list[Path], msgspec.Meta(max_length=NAMES_MAX)]
    """Where the entry point is looked for in an archive, best first."""
    suffixes: Annotated[list[Word], msgspec.Meta(max_length=NAMES_MAX)]
    """Endings of its source files."""
    libraries: Label = ""
    """What bots may use besides the standard library, as ``numpy 1.24.2, scipy 1.10.1``; empty: nothing."""


class LanguagesReport(Message, frozen=True):
    """Which languages a worker that has just started has."""

    worker: Label
    languages: Annotated[list[WorkingLanguage], msgspec.Meta(max_length=50)]


class WorkerBeat(Message, frozen=True):
    """How a worker is. Its counters come from the pool and the queues it consumes, not from the answer to a ping."""

    worker: Label
    host: Label
    broker_user: Label
    version: Word
    """Of the software."""
    backend: Word
    languages: Annotated[list[Word], msgspec.Meta(max_length=50)]
    """Names of those found to work until now."""
    cores: Processes
    processes: Processes
    busy: Processes
    """Processes that play or build."""
    takes_work: bool
    """Whether it consumes the queues of jobs."""
    uptime_seconds: Measured
    jobs_taken: Count
    jobs_done: Count
    """Both since it started."""
    self_test: Sentence = ""
    """What is wrong with its walls; it does not start then. Empty: nothing."""
    canary_ms: Measured | None = None
    cpu_percent: Measured | None = None
    load: Measured | None = None
