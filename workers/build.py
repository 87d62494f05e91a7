"""Builds one uploaded version: fetch, unpack, compile, and a check match that shows that it can play."""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.game import Game
from core.referee import SeatInfo
from core.tars import BadTar, tar_of
from sandbox import languages
from sandbox.api import BotFault, Program, Verdict
from sandbox.languages import Language
from sandbox.tars import folder_files, unpack
from wire.jobs import BuildJob, BuildReport
from workers.evidence import LOG_CHARS_MAX, cut, fault_text
from workers.play import (
    Played,
    Player,
    Tools,
    game_of,
    lacked,
    limits_of,
    platform_sentence,
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
"""What a log says behind it is no fault, and worth knowing."""
NO_PROGRAM = "no program"
NO_LANGUAGE = "no language"
COMPILE_ERROR = "compile error"


class Rejected(Exception):  # noqa: N818 - an answer to the author, not an error of ours
    """The version cannot play, by a fault of its own."""

    def __init__(self, verdict: str, sentence: str, log: str, played: Played | None = None) -> None:
        super().__init__(sentence)
        self.verdict = str(verdict)
        self.sentence = cut(sentence, 1_000)
        self.log = cut(log, LOG_CHARS_MAX)
        self.played = played


def version_build(job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> BuildReport:
    """Build the version of a job. Never raises: whose fault a failure is stands in the report.

    Args:
        job: what to build.
        tools: what to build with.
        reached: called at the beginning of each step.
    """
    try:
        ending = _Build(job, tools, reached).run()
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours: no version may be rejected for it
        ending = {"platform_fault": platform_sentence(error), "lacks": lacked(error)}
    return BuildReport(version_id=job.version_id, lease_token=job.lease_token, worker=tools.worker, **ending)


class _Build:
    """One build under way. What its steps find out is collected in ``ending``, the fields of the report."""

    def __init__(self, job: BuildJob, tools: Tools, reached: Callable[[Step], None]) -> None:
        self.job = job
        self.tools = tools
        self.reached = reached
        self.ending: dict[str, Any] = {}

    def run(self) -> dict[str, Any]:
        """Go through the steps and return how it ended.

        Raises:
            PlatformFault: something of ours failed.
        """
        game_of(self.job.game)  # or it would be built in vain
        with self.tools.cache.workspace() as folder:
            root = Path(folder, "root")
            self._fetch(Path(folder, "bundle.tar"), root)
            try:
                program = self._compile(root, Path(folder, "out"))
                artifact = self._pack(program.root)
                played = self._check(program)
            except Rejected as no:
                stored = self._store(no.played) if no.played else {}
                verdict = {"verdict": no.verdict, "sentence": no.sentence, "log": no.log}
                return {**self.ending, "failed_step": self.step, **stored, **verdict}
        digest = self.tools.transfer.put(self.job.artifact_url, artifact)
        made = {"artifact_digest": digest, "artifact_bytes": len(artifact)}
        return {**self.ending, **made, **self._store(played)}

    def _begin(self, step: Step) -> None:
        self.step = step
        self.reached(step)

    def _fetch(self, tar: Path, root: Path) -> None:
        self._begin(Step.FETCH)
        self.tools.transfer.get(self.job.bundle_url, self.job.bundle_digest, tar)
        self._begin(Step.UNPACK)
        unpack(tar.read_bytes(), root)

    def _compile(self, root: Path, out: Path) -> Program:
        """Find out what the program is and build it; what is played lies in ``out`` if its language is compiled.

        Raises:
            Rejected: no program, or one with errors.
        """
        self._begin(Step.COMPILE)
        try:
            language, entry = languages.detect(root, self.job.language)
        except languages.NoProgram as error:
            raise Rejected(NO_PROGRAM, str(error), "") from error
        self.ending |= {"language": language.name, "entry": entry}
        if not self.tools.has(language):
            self.ending["lacks"] = language.name
            raise Rejected(NO_LANGUAGE, f"This arena has no {language.title}.", "")
        if language.compiled:
            out.mkdir(mode=0o755)
        step = Program(root, language.build(entry))
        output = self._build(language, entry, step, out if language.compiled else None)
        self.ending["log"] = cut(f"{language.taken(root, entry)}\n{output}", LOG_CHARS_MAX)
        return Program(out if language.compiled else root, language.command(entry, limits_of(self.job.limits)))

    def _build(self, language: Language, entry: str, step: Program, out: Path | None) -> str:
        """Run the build step and return what it printed.

        Raises:
            Rejected: it failed.
        """
        taken = language.taken(step.root, entry)
        try:
            result = self.tools.sandbox.run(step, languages.BUILD_LIMITS, languages.BUILD_CPU_MS, out)
        except BotFault as fault:
            log = f"{taken}\n{fault.evidence.stderr}"
            raise Rejected(fault.verdict, f"The build: {fault.sentence}", log) from fault
        if result.exit_code != 0:
            why = language.why_not_built(step.root, entry, result.output)
            log = "\n".join(filter(None, (taken, why, result.output)))
            raise Rejected(COMPILE_ERROR, why or f"The program is no valid {language.title}.", log)
        return result.output

    def _pack(self, root: Path) -> bytes:
        """Return what is played as a tar.

        Raises:
            Rejected: the build has left what is taken from nobody, or too much.
        """
        try:
            return tar_of(folder_files(root))
        except BadTar as error:
            raise Rejected(
                Verdict.OUTPUT, f"{error} Leave only what your program needs.", self.ending["log"]
            ) from error

    def _check(self, program: Program) -> Played:
        """Play the check match: passed if the bot ends it without a fault, whatever its rank.

        On any seat, since a bot that plays on the first one only would pass and lose half of its matches. The seed
        chooses it: built again, the version sits there again.

        Raises:
            Rejected: it did not.
            PlatformFault: the sandbox failed, or this worker does not know the game.
        """
        self._begin(Step.CHECK)
        job = self.job
        game = game_of(job.game)
        limits = limits_of(job.limits)
        player = Player(SeatInfo(job.name, job.version, job.bundle_digest), program, limits)
        opponent = player_of(job.opponent, self.tools, limits) if job.opponent else player
        seat = random.Random(job.seed).randrange(game.players[0])  # noqa: S311 - no secret
        players = [opponent] * game.players[0]
        players[seat] = player
        played = table_play(game, job.seed, {}, players=players, sandbox=self.tools.sandbox)
        if fault := played.seats[seat].fault:
            language = languages.language(self.ending["language"])
            said = (
                f"In turn {fault.turn} of the check match: {fault.sentence}{_expected(game) if fault.turn == 1 else ''}"
            )
            sentence = language.is_older(fault.stderr) or said
            log = fault_text(fault, build=self.ending["log"])
            raise Rejected(fault.verdict, sentence, log, played)
        if forgiven := played.outcome.forgiven[seat]:
            self.ending["log"] += f"{CHECK_SECTION}{forgiven.sentence}"
        return played

    def _store(self, played: Played) -> dict[str, str | None]:
        """Store what the check match leaves, and return its digests."""
        return table_store(played, self.job.replay_url, self.tools.transfer)


def _expected(game: Game[Any]) -> str:
    """Say by which of a game's rulesets the ladder plays: a bot for another one ends in its first turn."""
    here = [name for name, options in game.rulesets.items() if not options]
    others = [name for name, options in game.rulesets.items() if options]
    if not others:
        return ""
    return (
        f" The ladder plays {game.title} by the rules {', '.join(here)}, not by {', '.join(others)}: compare what your"
        " program reads and writes with the game's page."
    )
