"""``manage.py workers list|scale|drain|resume|quarantine``."""

from __future__ import annotations

import math
from argparse import ArgumentTypeError
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from common.errors import InputError
from core.arguments import whole
from core.text import printable
from fleet.broker import BrokerRefused
from fleet.health import scaling_note
from fleet.services.quarantine import HOURS_MAX, SINCE_SECONDS, worker_quarantine, worker_release
from jobs.models import Worker
from jobs.services.workers import worker_drain, worker_scale

HEADINGS = ("NAME", "STATE", "PROCESSES", "BUSY", "DONE", "CPU", "CANARY", "SEEN", "BACKEND", "LANGUAGES")


class Command(BaseCommand):
    help = "The playing workers: list them, have one play in more or fewer processes, drain, resume, quarantine one."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        acts.add_parser("list", help="all workers and how they are")
        scale = acts.add_parser("scale", help="play in so many processes, at most one per core")
        drain = acts.add_parser("drain", help="finish what it plays and take no new work")
        resume = acts.add_parser("resume", help="take work again after draining or quarantine")
        quarantine = acts.add_parser("quarantine", help="trust nothing it reports; play its last matches again")
        for act in (scale, drain, resume, quarantine):
            act.add_argument("name", help="as `workers list` shows it")
        for act in (scale, drain, resume):
            act.add_argument("--reason", default="", help="for the audit log")
        scale.add_argument("processes", type=whole, help="how many matches it plays at once")
        quarantine.add_argument("--reason", required=True, help="everybody reads it at the matches that are voided")
        hours = SINCE_SECONDS / 3_600
        far = f"how far back its matches are played again and its builds made again (default: {hours:g})"
        quarantine.add_argument("--hours", type=_hours, default=hours, help=far)

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except (InputError, BrokerRefused) as reason:
            raise CommandError(str(reason)) from reason

    def _list(self, options: dict[str, Any]) -> None:
        workers = Worker.objects.all()
        rows = [_row(worker) for worker in workers]
        self.stdout.write(_table([HEADINGS, *rows]) if rows else "No worker has given a sign of life yet.")
        for worker in workers:
            for sentence in filter(None, (worker.reason, worker.self_test)):
                self.stdout.write(printable(f"{worker.name}: {sentence}"))

    def _scale(self, options: dict[str, Any]) -> None:
        worker_scale(name=options["name"], processes=options["processes"], actor=None, reason=options["reason"])
        self.stdout.write("The order is sent, and repeated until the worker follows it.")
        if note := scaling_note():
            self.stdout.write(note)

    def _drain(self, options: dict[str, Any]) -> None:
        worker_drain(name=options["name"], actor=None, reason=options["reason"])
        self.stdout.write(
            "The worker finishes what it plays and takes no new work; `workers list` shows when it is not busy."
        )

    def _resume(self, options: dict[str, Any]) -> None:
        worker_release(name=options["name"], actor=None, reason=options["reason"])
        self.stdout.write("The worker takes work again.")

    def _quarantine(self, options: dict[str, Any]) -> None:
        since = timezone.now() - timedelta(hours=options["hours"])
        done = worker_quarantine(name=options["name"], actor=None, reason=options["reason"], since=since)
        self.stdout.write(str(done))


def _hours(text: str) -> float:
    try:
        hours = float(text)
    except ValueError:
        hours = math.nan
    if not 0 <= hours <= HOURS_MAX:  # also refuses NaN
        raise ArgumentTypeError(f"it must lie between 0 and {HOURS_MAX}")
    return hours


def _row(worker: Worker) -> tuple[str, ...]:
    wanted = worker.processes_wanted
    processes = str(worker.processes) if wanted in (None, worker.processes) else f"{worker.processes}->{wanted}"
    seen = (timezone.now() - worker.last_seen_at).total_seconds()
    return (
        worker.name,
        worker.state,
        f"{processes} of {worker.cores}",
        str(worker.busy),
        str(worker.jobs_done),
        "" if worker.cpu_percent is None else f"{worker.cpu_percent:.0f}%",
        "" if worker.canary_ms is None else f"{worker.canary_ms:.1f} ms",
        f"{seen:.0f} s ago",
        printable(worker.backend),
        # The attack: a worker that was taken over reports control characters, which steer the administrator's terminal.
        printable(" ".join(worker.languages)),
    )


def _table(rows: Iterable[Sequence[str]]) -> str:
    """Return the rows as lines of text, with each column padded to its longest cell."""
    columns = list(zip(*rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    )
