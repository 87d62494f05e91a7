"""Tries a program for its author: builds it as an upload, and plays one match with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sandbox.api import Program
from wire.jobs import TryJob, TryReport
from wire.live import Show
from wire.turnlog import pack
from workers.compiling import Compiling, Rejected, Step
from workers.lacking import lacked
from workers.play import Tools, platform_message, rules_of, table_store


def program_try(job: TryJob, tools: Tools, reached: Callable[[Step], None], show: Show) -> TryReport:
    """Build the program of a job, play its match, and return the report. Never raises: errors are in the report.

    ``reached`` is called with each step when it begins, ``show`` with the lines of the replay as the match goes on.
    """
    compiling = Compiling(job, tools, reached)
    try:
        rules_of(job.game, job.rules_version)  # raises before the work begins if this worker does not know them
        with tools.cache.workspace() as folder:
            ending = {**_match(job, tools, compiling.program(folder), compiling, show), **compiling.ending}
    except Rejected as no:
        ending = {**compiling.ending, "failed_step": compiling.step, **no.told}
    except Exception as error:  # noqa: BLE001 - an error of the platform, which the report tells
        ending = {"platform_fault": platform_message(error), "lacks": lacked(error)}
    return TryReport(try_id=job.try_id, lease_token=job.lease_token, worker=tools.worker, **ending)


def _match(job: TryJob, tools: Tools, program: Program, compiling: Compiling, show: Show) -> dict[str, Any]:
    """Play the match, store its replay and its turn log, and return their fields of the report.

    Raises:
        PlatformFault: the sandbox or an upload failed, or this worker lacks the opponent's language.
    """
    game = rules_of(job.game, job.rules_version)
    played = compiling.play(program, game, job.seat, show=show, forced=job.played)
    digests = table_store(replace(played, log=pack(played.turns)), job.replay_url, tools.transfer)
    show(played.outcome.records)  # only now: who sees the end may ask for the replay
    return {"turns": played.outcome.turns, "seats": played.seats, **digests}
