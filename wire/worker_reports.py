"""What a worker tells the site of itself: the languages that it has, and every few seconds its state."""

from __future__ import annotations

from typing import Annotated

import msgspec

from wire.jobs import Count, Label, Measured, Path, Processes, Sentence, Word, WorkerReport

NAMES_MAX = 20
"""The most file names, and file suffixes, that a language may have, since upload pages list them all."""


class WorkingLanguage(WorkerReport, frozen=True):
    """A language whose self-test program has built and answered in the sandbox of a worker."""

    name: Word
    title: Label
    version: Word
    """Version of its compiler or interpreter."""
    entries: Annotated[list[Path], msgspec.Meta(max_length=NAMES_MAX)]
    """Paths in an archive where the entry point may be, best first."""
    suffixes: Annotated[list[Word], msgspec.Meta(max_length=NAMES_MAX)]
    """Suffixes of its source files."""
    libraries: Label = ""
    """Libraries that bots may use besides the standard one, as ``numpy 1.24.2, scipy 1.10.1``; empty: none."""


class LanguagesReport(WorkerReport, frozen=True):
    """The languages that work on a worker that has just started."""

    worker: Label
    languages: Annotated[list[WorkingLanguage], msgspec.Meta(max_length=50)]


class WorkerBeat(WorkerReport, frozen=True):
    """The state of a worker, which it sends every few seconds.

    Its counters come from the process pool and the consumed queues, and so show whether jobs really are done.
    """

    worker: Label
    host: Label
    broker_user: Label
    version: Word
    """Release of the worker's software."""
    backend: Word
    """The sandbox's name, ``docker`` or ``bubblewrap``."""
    languages: Annotated[list[Word], msgspec.Meta(max_length=50)]
    """Names of the languages found to work until now."""
    cores: Processes
    processes: Processes
    busy: Processes
    """Processes that play or build."""
    takes_work: bool
    """Whether it consumes the job queues."""
    uptime_seconds: Measured
    jobs_taken: Count
    """Number of jobs that the worker has taken since it started."""
    jobs_done: Count
    """Number of jobs that it has ended since then."""
    self_test: Sentence = ""
    """Why the worker does not play: its sandbox does not isolate bots, or its disk is full. Empty: it plays."""
    canary_ms: Measured | None = None
    """CPU time of the same small computation each time, which shows a slow or crowded machine; None: not measured."""
    cpu_percent: Measured | None = None
    load: Measured | None = None
    tables: Processes = 0
    """How many tables it may hold at once, if it is a worker of tables, which has no processes for other jobs."""
