"""Builds one uploaded version: downloads, unpacks and compiles it, and plays a check match."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from core.game import Game, JsonObject
from core.message import Message, stored
from core.variants import ruleset_of
from games.words import ENGLISH, words_of
from sandbox import languages
from sandbox.api import Program
from wire.jobs import BuildJob, BuildReport, FaultReport
from workers.compiling import Compiling, Rejected, Step
from workers.evidence import fault_text
from workers.lacking import lacked
from workers.play import Played, Tools, game_of, platform_message, table_store

CHECK_SECTION = "\n\n--- Check match ---\n"
"""Heading in a build's log; below it stands what the check match forgave, which is no fault but worth knowing."""


def version_build(job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> BuildReport:
    """Build the version of a job, and return the report. Never raises: the report says whose fault a failure is.

    ``reached`` is called with each step when it begins.
    """
    try:
        ending = _Build(job, tools, reached).run()
    except Exception as error:  # noqa: BLE001 - an error of the platform; no version may be rejected for it
        ending = {"platform_fault": platform_message(error), "lacks": lacked(error)}
    return BuildReport(version_id=job.version_id, lease_token=job.lease_token, worker=tools.worker, **ending)


class _Build:
    """One running build."""

    def __init__(self, job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> None:
        self.job = job
        self.tools = tools
        self.compiling = Compiling(job, tools, reached)
        self.ending = self.compiling.ending

    def run(self) -> dict[str, Any]:
        """Do all steps and return the fields of the report; raise PlatformFault if the platform fails."""
        game_of(self.job.game)  # raises before the work begins if this worker does not know the game
        with self.tools.cache.workspace() as folder:
            try:
                program = self.compiling.program(folder)
                artifact = self.compiling.pack(program.root)
                played = self._check(program)
            except Rejected as no:
                stored = self._store(no.played) if no.played else {}
                return {**self.ending, "failed_step": self.compiling.step, **stored, **no.told}
        digest = self.tools.transfer.put(self.job.artifact_url, artifact)
        made = {"artifact_digest": digest, "artifact_bytes": len(artifact)}
        return {**self.ending, **made, **self._store(played)}

    def _check(self, program: Program) -> Played:
        """Play the check match and return it. The bot passes if it has no fault, whatever its rank.

        The seed chooses the bot's seat, so that a rebuild gets the same one. On a fixed seat, bots that can play only
        there would pass and lose half of their matches.

        Raises:
            Rejected: the bot was at fault.
            PlatformFault: the sandbox failed, or this worker does not know the game.
        """
        job, game = self.job, game_of(self.job.game)
        seat = random.Random(job.seed).randrange(job.players)  # noqa: S311 - no secret
        played = self.compiling.play(program, game, seat, version=job.version)
        if fault := played.seats[seat].fault:
            language = languages.language(self.ending["language"])
            why = language.is_older(fault.stderr) or _check_fault(game, job.options, fault)
            log = fault_text(fault, build=self.ending["log"])
            raise Rejected(fault.verdict, why, log, played)
        if forgiven := played.outcome.forgiven[seat]:
            self.ending["log"] += f"{CHECK_SECTION}{words_of(job.game, ENGLISH).sentence(forgiven.message)}"
        return played

    def _store(self, played: Played) -> dict[str, str | None]:
        """Upload the replay and the turn log of the check match; return their digests as fields of the report."""
        return table_store(played, self.job.replay_url, self.tools.transfer)


def _check_fault(game: Game[Any], options: JsonObject, fault: FaultReport) -> Message:
    """Return the message about a fault in the check match.

    If it is in the first turn, and the game has rulesets that the contest does not use, the message names them: the bot
    may have been written for one of them.
    """
    values = {"turn": fault.turn, "why": stored(fault.why)}
    here = ruleset_of(game, options)
    others = ", ".join(name for name in game.rulesets if name != here)
    if fault.turn == 1 and others:
        return Message("build-check-rules", {**values, "ruleset": here, "others": others})
    return Message("build-check-fault", values)
