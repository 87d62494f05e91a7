"""The first steps of a build and of a try: downloads, unpacks and compiles an upload."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Any

from core.game import Game
from core.message import Message, stored
from core.referee import SeatInfo
from core.tars import BadTar, tar_of
from sandbox import languages
from sandbox.api import BotFault, Program, Verdict
from sandbox.languages import Language
from sandbox.tars import folder_files, unpack
from wire.jobs import ProgramJob
from workers.evidence import LOG_CHARS_MAX, cut, message_cut
from workers.play import Played, Player, Tools, limits_of, player_of, table_play


class Step(StrEnum):
    """The steps of a build, in order; a try plays its match in the last one."""

    FETCH = "fetch"
    UNPACK = "unpack"
    COMPILE = "compile"
    CHECK = "check"


NO_PROGRAM = "no program"
NO_LANGUAGE = "no language"
COMPILE_ERROR = "compile error"


class Rejected(Exception):  # noqa: N818 - an answer to the author, not an error of ours
    """The version cannot play because of its own fault."""

    def __init__(self, verdict: str, why: Message, log: str, played: Played | None = None) -> None:
        super().__init__(str(why))
        self.told = {"verdict": str(verdict), "why": message_cut(why), "log": cut(log, LOG_CHARS_MAX)}
        """The report's fields ``verdict``, ``why`` and ``log``."""
        self.played = played


class Compiling:
    """One upload that is being compiled. Its steps collect fields of the report in ``ending``."""

    def __init__(self, job: ProgramJob, tools: Tools, reached: Callable[[Step], None]) -> None:
        self.job = job
        self.tools = tools
        self.reached = reached
        self.ending: dict[str, Any] = {}
        self.step = Step.FETCH

    def program(self, folder: str) -> Program:
        """Download, unpack and compile the upload in a folder, and return the program to play.

        Raises:
            Rejected: no program was found, its language is missing here, or the build failed.
            PlatformFault: the platform failed.
        """
        tar, root = Path(folder, "bundle.tar"), Path(folder, "root")
        self.begin(Step.FETCH)
        self.tools.transfer.get(self.job.bundle_url, self.job.bundle_digest, tar)
        self.begin(Step.UNPACK)
        unpack(tar.read_bytes(), root)
        return self._compile(root, Path(folder, "out"))

    def begin(self, step: Step) -> None:
        """Store the step, for the report of a rejection, and report it as progress."""
        self.step = step
        self.reached(step)

    def _compile(self, root: Path, out: Path) -> Program:
        """Detect language and entry point of an unpacked upload, run the build step, and return the program to play.

        The program lies in ``out`` if the language is compiled, otherwise in ``root``. Raises what ``program`` raises.
        """
        self.begin(Step.COMPILE)
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
        """Run the build step ``step`` in the sandbox, and return the text that it has printed.

        ``out`` is the folder for what it makes, None if the language is not compiled.

        Raises:
            Rejected: the step exceeded a limit, or ended with another exit code than 0.
            PlatformFault: the sandbox failed.
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

    def play(self, program: Program, game: Game[Any], seat: int, *, version: str = "", **more: Any) -> Played:
        """Play the job's match: the program on one seat, the job's opponent (or copies of the program) on all others.

        Args:
            program: what was built.
            game: rules of the game.
            seat: the seat of the program.
            version: the program's version, which the replay shows beside its name.
            more: further arguments of ``table_play``.

        Raises:
            PlatformFault: the sandbox failed, or this worker lacks the opponent's language.
        """
        self.begin(Step.CHECK)
        job, limits, sandbox = self.job, limits_of(self.job.limits), self.tools.sandbox
        own = Player(SeatInfo(job.name, version, job.bundle_digest), program, limits)
        players = [player_of(job.opponent, self.tools, limits) if job.opponent else own] * job.players
        players[seat] = own
        percent = job.limits.time_percent
        return table_play(game, job.seed, job.options, players=players, sandbox=sandbox, time_percent=percent, **more)

    def pack(self, root: Path) -> bytes:
        """Return the folder to be played as a tar.

        Raises:
            Rejected: the build has left files that are not allowed (such as links), or too many or too large ones.
        """
        try:
            return tar_of(folder_files(root))
        except BadTar as error:
            raise Rejected(Verdict.OUTPUT, error.why, self.ending["log"]) from error
