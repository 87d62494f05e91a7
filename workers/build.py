"""Builds one uploaded version: downloads, unpacks and compiles it, and plays a check match."""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.game import Game, JsonObject
from core.message import Message, stored
from core.referee import SeatInfo
from core.tars import BadTar, tar_of
from core.variants import ruleset_of
from games.words import ENGLISH, words_of
from sandbox import languages
from sandbox.api import BotFault, Program, Verdict
from sandbox.languages import Language
from sandbox.tars import folder_files, unpack
from wire.jobs import BuildJob, BuildReport, FaultReport
from workers.evidence import LOG_CHARS_MAX, cut, fault_text, message_cut
from workers.play import (
    Played,
    Player,
    Tools,
    game_of,
    lacked,
    limits_of,
    platform_message,
    player_of,
    table_play,
    table_store,
)


class Step(StrEnum):
    """The steps of a build, in order."""

    FETCH = "fetch"
    UNPACK = "unpack"
    COMPILE = "compile"
    CHECK = "check"


CHECK_SECTION = "\n\n--- Check match ---\n"
"""Heading in a build's log; below it stands what the check match forgave, which is no fault but worth knowing."""
NO_PROGRAM = "no program"
NO_LANGUAGE = "no language"
COMPILE_ERROR = "compile error"


class Rejected(Exception):  # noqa: N818 - an answer to the author, not an error of ours
    """The version cannot play because of its own fault."""

    def __init__(self, verdict: str, why: Message, log: str, played: Played | None = None) -> None:
        super().__init__(str(why))
        self.verdict = str(verdict)
        self.why = message_cut(why)
        self.log = cut(log, LOG_CHARS_MAX)
        self.played = played


def version_build(job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> BuildReport:
    """Build the version of a job, and return the report. Never raises: the report says whose fault a failure is.

    Args:
        job: the version to build, and the opponent of its check match.
        tools: sandbox, transfers and cache of this worker.
        reached: called with each step when it begins.
    """
    try:
        ending = _Build(job, tools, reached).run()
    except Exception as error:  # noqa: BLE001 - an error of the platform; no version may be rejected for it
        ending = {"platform_fault": platform_message(error), "lacks": lacked(error)}
    return BuildReport(version_id=job.version_id, lease_token=job.lease_token, worker=tools.worker, **ending)


class _Build:
    """One running build. Its steps collect fields of the report in ``ending``."""

    def __init__(self, job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> None:
        self.job = job
        self.tools = tools
        self.reached = reached
        self.ending: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        """Do all steps and return the fields of the report.

        Raises:
            PlatformFault: the platform failed.
        """
        game_of(self.job.game)  # raises before the work begins if this worker does not know the game
        with self.tools.cache.workspace() as folder:
            tar, root = Path(folder, "bundle.tar"), Path(folder, "root")
            self._begin(Step.FETCH)
            self.tools.transfer.get(self.job.bundle_url, self.job.bundle_digest, tar)
            self._begin(Step.UNPACK)
            unpack(tar.read_bytes(), root)
            try:
                program = self._compile(root, Path(folder, "out"))
                artifact = self._pack(program.root)
                played = self._check(program)
            except Rejected as no:
                stored = self._store(no.played) if no.played else {}
                verdict = {"verdict": no.verdict, "why": no.why, "log": no.log}
                return {**self.ending, "failed_step": self.step, **stored, **verdict}
        digest = self.tools.transfer.put(self.job.artifact_url, artifact)
        made = {"artifact_digest": digest, "artifact_bytes": len(artifact)}
        return {**self.ending, **made, **self._store(played)}

    def _begin(self, step: Step) -> None:
        """Store the step, for the report of a rejection, and report it as progress."""
        self.step = step
        self.reached(step)

    def _compile(self, root: Path, out: Path) -> Program:
        """Detect language and entry point, run the build step, and return the program to play.

        Args:
            root: folder of the unpacked upload.
            out: folder for the result if the language is compiled; otherwise ``root`` is played.

        Raises:
            Rejected: no program was found, its language is missing here, or the build failed.
        """
        self._begin(Step.COMPILE)
        try:
            language, entry = languages.detect(root, self.job.language)
        except languages.NoProgram as error:
            raise Rejected(NO_PROGRAM, error.why, "") from error
        self.ending |= {"language": language.name, "entry": entry}
        if self.job.languages and language.name not in self.job.languages:
            allowed = ", ".join(sorted(languages.language(name).title for name in self.job.languages))
            why = Message("build-language-not-allowed", {"language": language.title, "allowed": allowed})
            raise Rejected(NO_LANGUAGE, why, "")
        if not self.tools.has(language):
            self.ending["lacks"] = language.name
            raise Rejected(NO_LANGUAGE, Message("build-no-language", {"language": language.title}), "")
        if language.compiled:
            out.mkdir(mode=0o755)
        step = Program(root, language.build(entry))
        output = self._build(language, entry, step, out if language.compiled else None)
        self.ending["log"] = cut(f"{language.taken(root, entry)}\n{output}", LOG_CHARS_MAX)
        return Program(out if language.compiled else root, language.command(entry, limits_of(self.job.limits)))

    def _build(self, language: Language, entry: str, step: Program, out: Path | None) -> str:
        """Run the build step in the sandbox and return its output.

        Raises:
            Rejected: the build step failed.
        """
        taken = language.taken(step.root, entry)
        try:
            result = self.tools.sandbox.run(step, languages.BUILD_LIMITS, languages.BUILD_CPU_MS, out)
        except BotFault as fault:
            log = f"{taken}\n{fault.evidence.stderr}"
            raise Rejected(fault.verdict, Message("build-fault", {"why": stored(fault.why)}), log) from fault
        if result.exit_code != 0:
            why = language.why_not_built(step.root, entry, result.output)
            why = why or Message("build-invalid", {"language": language.title})
            raise Rejected(COMPILE_ERROR, why, f"{taken}\n{result.output}")
        return result.output

    def _pack(self, root: Path) -> bytes:
        """Return the folder to be played as a tar.

        Raises:
            Rejected: the build has left files that are not allowed (such as links), or too many or too large ones.
        """
        try:
            return tar_of(folder_files(root))
        except BadTar as error:
            raise Rejected(Verdict.OUTPUT, error.why, self.ending["log"]) from error

    def _check(self, program: Program) -> Played:
        """Play the check match. The bot passes if it has no fault, whatever its rank.

        The seed chooses the bot's seat, so that a rebuild gets the same one. On a fixed seat, bots that can play only
        there would pass and lose half of their matches.

        Raises:
            Rejected: the bot was at fault.
            PlatformFault: the sandbox failed, or this worker does not know the game.
        """
        self._begin(Step.CHECK)
        job = self.job
        game = game_of(job.game)
        limits = limits_of(job.limits)
        player = Player(SeatInfo(job.name, job.version, job.bundle_digest), program, limits)
        opponent = player_of(job.opponent, self.tools, limits) if job.opponent else player
        seat = random.Random(job.seed).randrange(job.players)  # noqa: S311 - no secret
        players = [opponent] * job.players
        players[seat] = player
        percent, sandbox = job.limits.time_percent, self.tools.sandbox
        played = table_play(game, job.seed, job.options, players=players, sandbox=sandbox, time_percent=percent)
        if fault := played.seats[seat].fault:
            language = languages.language(self.ending["language"])
            why = language.is_older(fault.stderr) or _check_fault(game, job.options, fault)
            log = fault_text(fault, build=self.ending["log"])
            raise Rejected(fault.verdict, why, log, played)
        if forgiven := played.outcome.forgiven[seat]:
            self.ending["log"] += f"{CHECK_SECTION}{words_of(job.game, ENGLISH).sentence(forgiven.message)}"
        return played

    def _store(self, played: Played) -> dict[str, str | None]:
        """Upload the replay and the turn log of the check match, and return their digests."""
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
