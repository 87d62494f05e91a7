"""Plays one match: bots in sandboxes, the referee of ``core`` between them, the replay and the report at the end."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import structlog

from core.game import Game, JsonObject
from core.referee import Ask, Outcome, Reply, SeatInfo, Turn, drive, play
from core.replay import encode
from games.registry import game_named, game_names
from sandbox import languages
from sandbox.api import BotFault, Evidence, Limits, PlatformFault, Process, Program, Sandbox, TurnLimits
from sandbox.languages import Language
from sandbox.toolchains import version_of
from wire.jobs import AGAIN_MAX, RULES, BotLimits, MatchReport, PlayJob, SeatProgram, SeatReport
from wire.live import Show, unwatched
from wire.turnlog import TEXT_CHARS_MAX, TURNS_KEPT, SeatTurn, pack, tells_more
from workers.artifacts import ArtifactCache, Transfer
from workers.evidence import fault_report

log = structlog.get_logger()

WAITED_SHARE, WALL_SHARE = 0.25, 0.5
"""Of a turn's CPU limit: who has waited longer for a core, in a turn that took longer, may have played worse for it.

Bots may look at a wall clock. Who has half of its limit left by that, too, was not disturbed.
"""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a worker works with."""

    sandbox: Sandbox
    transfer: Transfer
    cache: ArtifactCache
    worker: str
    """Its name in reports."""
    _versions: dict[str, str | None] = field(default_factory=dict)

    def has(self, language: Language) -> bool:
        """Tell whether a language is installed here.

        Raises:
            PlatformFault: the sandbox failed.
        """
        if language.name not in self._versions:
            self._versions[language.name] = version_of(self.sandbox, language)
        return self._versions[language.name] is not None


class Lacking(PlatformFault):
    """This worker has not what another may have."""

    def __init__(self, sentence: str, what: str) -> None:
        super().__init__(sentence)
        self.what = what
        """A language's name, or ``RULES``."""


@dataclass(frozen=True, slots=True)
class Player:
    """Who sits on a seat, the program it runs, and what that may use."""

    info: SeatInfo
    program: Program
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has been played to its end, whoever was at fault in it."""

    outcome: Outcome
    seats: list[SeatReport]
    replay: bytes
    log: bytes | None
    """The turns as their owners may see them, where that is more than the replay."""
    waited: str
    """A sentence if a bot waited long for a core through no doing of the bots of this match; else empty."""


def match_play(job: PlayJob, tools: Tools, show: Show = unwatched) -> MatchReport:
    """Play the match of a job and store its replay. Never raises: what goes wrong on our side is in the report.

    Args:
        job: what to play.
        tools: what to play it with.
        show: gets the lines of the replay as they come.
    """
    try:
        game = rules_of(job.game, job.rules_version)
        players = [player_of(seat, tools, limits_of(job.limits)) for seat in job.seats]
        played = table_play(game, job.seed, job.options, players=players, sandbox=tools.sandbox, show=show)
        blame_check(played.seats, players, tools)
        if played.waited and job.attempt <= AGAIN_MAX:
            log.warning("match_waited", reason=played.waited)
            return _report(job, tools, turns=played.outcome.turns, platform_fault=played.waited)
        digests = table_store(played, job.replay_url, tools.transfer)
        show(played.outcome.records)  # only now: of an attempt that does not count, nobody shall see an end
    except Exception as error:  # noqa: BLE001 - whatever it is, it is ours: no bot may lose for it
        return _report(job, tools, platform_fault=platform_sentence(error), lacks=lacked(error))
    return _report(job, tools, turns=played.outcome.turns, seats=played.seats, **digests)


def table_play(
    game: Game[Any],
    seed: int,
    options: JsonObject,
    *,
    players: Sequence[Player],
    sandbox: Sandbox,
    show: Show = unwatched,
) -> Played:
    """Start all players, play the match, end them all. Its end is left to the caller to show.

    Raises:
        PlatformFault: the sandbox failed.
    """
    with ExitStack() as stack:
        seats = [
            _Seat(index, stack.enter_context(sandbox.start(player.program, player.limits)))
            for index, player in enumerate(players)
        ]
        match = play(game, seed=seed, seats=[player.info for player in players], options=options)

        def answer(turn: Turn) -> dict[int, Reply]:
            show(turn.records)
            # One after the other: while one bot answers the others are frozen, so that they cannot think meanwhile.
            return {ask.seat: seats[ask.seat].reply(turn.number, ask) for ask in turn.asks}

        outcome, records = drive(match, answer)
        reports = [seat.report(outcome) for seat in seats]
        waited = waited_sentence(seats)
    turns = [turn for seat in seats for turn in seat.turns]
    log = pack(turns) if waited or tells_more(turns) else None
    return Played(outcome, reports, encode(records), log, waited)


def waited_sentence(seats: Sequence[_Seat]) -> str:
    """Return that a bot waited long for a core, empty if none did."""
    waited_ms, turn = max(seat.longest_wait for seat in seats)
    if not waited_ms:
        return ""
    return (
        f"This machine is overloaded: a bot waited for a core for {waited_ms:,.0f} ms in turn {turn}, while other"
        " programs ran."
    )


def table_store(played: Played, url: str, transfer: Transfer) -> dict[str, str | None]:
    """Store the replay of a match, and its log if there is one; return their digests, by the names of the report.

    Raises:
        PlatformFault: they cannot be stored.
    """
    replay_digest = transfer.put(url, played.replay)
    return {"replay_digest": replay_digest, "log_digest": transfer.put(url, played.log) if played.log else None}


def blame_check(seats: Sequence[SeatReport], players: Sequence[Player], tools: Tools) -> None:
    """Make sure that no bot is blamed whose files have been taken away.

    Raises:
        PlatformFault: one has failed, and some of its files are gone.
    """
    for seat, player in zip(seats, players, strict=True):
        if seat.fault:
            tools.cache.verify(player.info.digest)


def limits_of(told: BotLimits) -> Limits:
    """Return the sandbox's limits with those of a job; the message's type has checked that they are not too high."""
    return Limits(**msgspec.structs.asdict(told))


def player_of(seat: SeatProgram, tools: Tools, limits: Limits) -> Player:
    """Fetch a seat's program.

    Raises:
        Lacking: what it is written in is not installed here.
        PlatformFault: it cannot be had.
    """
    language = languages.language(seat.language)
    if not tools.has(language):
        packages = " ".join(language.packages)
        raise Lacking(f"This worker has no {language.title}: install {packages}.", language.name)
    root = tools.cache.root(seat.artifact_url, seat.artifact_digest)
    program = Program(root, language.command(seat.entry, limits))
    return Player(SeatInfo(seat.name, seat.version, seat.artifact_digest), program, limits)


def game_of(name: str) -> Game[Any]:
    """Return a game.

    Raises:
        Lacking: this worker does not know it.
    """
    if name not in game_names():
        raise Lacking(f"This worker does not know the game {name}: update it.", RULES)
    return game_named(name)


def rules_of(name: str, rules_version: str) -> Game[Any]:
    """Return the rules of a game.

    Raises:
        Lacking: this worker has other rules than the match was made for.
    """
    game = game_of(name)
    if game.rules_version != rules_version:
        raise Lacking(
            f"This worker plays version {game.rules_version} of the rules of {game.title}, the match needs"
            f" {rules_version}: bring the worker and the site to the same release.",
            RULES,
        )
    return game


def lacked(error: Exception) -> str:
    """Return what this worker has not; empty if an error has another cause."""
    return error.what if isinstance(error, Lacking) else ""


def platform_sentence(error: Exception) -> str:
    """Log an error of ours and return what the report says of it: only its kind if it was not foreseen."""
    log.exception("platform_fault", exc_info=error)
    if isinstance(error, PlatformFault):
        return str(error)[:1_000]
    return f"The worker failed ({type(error).__name__}); its log says more."


class _Seat:
    """One running bot, what it has cost, and what is needed to explain its fault."""

    def __init__(self, index: int, process: Process) -> None:
        self.turns: deque[SeatTurn] = deque(maxlen=TURNS_KEPT)
        self._index = index
        self._process = process
        self._costs = [(0.0, 0.0)]
        """Of each turn the share of its limit and the milliseconds of CPU time that it has used."""
        self._evidence = Evidence()
        self.longest_wait = (0.0, 0)
        """Of the waits that may have disturbed a turn, the longest in milliseconds, and the number of its turn."""

    def reply(self, turn: int, ask: Ask) -> Reply:
        """Ask the bot. Its fault is an answer like any other: the match goes on without it."""
        try:
            answer = self._process.ask(list(ask.lines), TurnLimits(ask.cpu_ms, ask.answer_lines))
        except BotFault as fault:
            self._evidence = fault.evidence
            self._process.kill()
            self._note(turn, ask, fault.evidence.turn_stderr)
            written = tuple(fault.evidence.last_output.splitlines())
            cost = fault.evidence.cpu_ms, fault.evidence.wall_ms
            return Reply(written, *cost, fault=fault.verdict, sentence=fault.sentence)
        cost = answer.cpu_ms, answer.wall_ms
        self._evidence = Evidence(
            last_input=ask.lines,
            last_output="\n".join(answer.lines),
            cpu_ms=answer.cpu_ms,
            wall_ms=answer.wall_ms,
            waited_ms=answer.waited_ms,
        )
        self._note(turn, ask, answer.stderr)
        return Reply(answer.lines, *cost)

    def _note(self, turn: int, ask: Ask, stderr: str) -> None:
        seen = self._evidence
        self._costs.append((seen.cpu_ms / ask.cpu_ms, seen.cpu_ms))
        if seen.waited_ms > WAITED_SHARE * ask.cpu_ms and seen.wall_ms > WALL_SHARE * ask.cpu_ms:
            self.longest_wait = max(self.longest_wait, (seen.waited_ms, turn))
        self.turns.append(
            SeatTurn(
                seat=self._index,
                turn=turn,
                asked="\n".join(seen.last_input)[-TEXT_CHARS_MAX:],
                answered=seen.last_output[-TEXT_CHARS_MAX:],
                stderr=stderr,
                cpu_ms=round(seen.cpu_ms, 1),
                wall_ms=round(seen.wall_ms, 1),
                waited_ms=round(seen.waited_ms, 1),
            )
        )

    def report(self, outcome: Outcome) -> SeatReport:
        """Return how the seat ended."""
        seat = self._index
        fault = outcome.faults[seat]
        if fault:
            self.turns[-1] = msgspec.structs.replace(self.turns[-1], fault=fault.verdict)
        return SeatReport(
            rank=outcome.ranks[seat],
            score=outcome.scores[seat],
            cpu_ms_total=sum(cpu_ms for _, cpu_ms in self._costs),
            # The turn nearest to its limit, not the longest: that is nearly always the first, whose limit is higher.
            cpu_ms_worst=max(self._costs)[1],
            fault=fault_report(fault, self._explain()) if fault else None,
        )

    def _explain(self) -> Evidence:
        """Return the sandbox's evidence, completed where only the referee has refused the answer."""
        if self._evidence.memory_peak_mib:
            return self._evidence
        peak_mib = self._process.usage().memory_peak_mib
        return replace(self._evidence, stderr=self._process.stderr(), memory_peak_mib=peak_mib)


def _report(job: PlayJob, tools: Tools, **ending: Any) -> MatchReport:
    ending = {"turns": 0, "seats": [], "replay_digest": None, **ending}
    return MatchReport(
        match_id=job.match_id, attempt=job.attempt, lease_token=job.lease_token, worker=tools.worker, **ending
    )
