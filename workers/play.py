"""Plays one match: runs the bots in sandboxes and the referee of ``core`` between them; makes replay and report."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import msgspec
import structlog

from core.game import BadOptions, Game, JsonObject
from core.message import Message, said
from core.referee import Ask, Match, Outcome, Reply, SeatInfo, Turn, drive, play
from core.replay import encode
from games.registry import BrokenGame, game_named, package_of, rules_versions
from sandbox import languages
from sandbox.api import BotFault, Evidence, Limits, PlatformFault, Process, Program, Sandbox, TurnLimits
from sandbox.languages import Language
from sandbox.toolchains import version_of
from wire.jobs import (
    AGAIN_MAX,
    GAME_FAILED,
    RULES,
    BotLimits,
    BuildReport,
    MatchReport,
    PlayJob,
    SeatProgram,
    SeatReport,
    TableJob,
    TryReport,
)
from wire.live import Show, show_nothing
from wire.turnlog import TEXT_CHARS_MAX, TURNS_KEPT, LoggedTurn, has_more_than_replay, pack
from workers.artifacts import ArtifactCache, Transfer
from workers.evidence import fault_report, message_cut
from workers.lacking import Lacking, lacked
from workers.memory import memory_reserved

log = structlog.get_logger()

ERROR_CHARS_MAX = 500
WAITED_SHARE, WALL_SHARE = 0.25, 0.5
"""Shares of a turn's CPU limit: a bot that waited for a core longer than the first, in a turn that took longer than the
second, may have played worse because of it. In a shorter turn it had time left even by the wall clock."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a playing process needs for its jobs: sandbox, transfers and cache."""

    sandbox: Sandbox
    transfer: Transfer
    cache: ArtifactCache
    worker: str
    """The worker's name in reports."""
    _versions: dict[str, str | None] = field(default_factory=dict)

    def has(self, language: Language) -> bool:
        """Return True if a language is installed on this machine; each language is tested once.

        Raises:
            PlatformFault: the sandbox failed.
        """
        if language.name not in self._versions:
            self._versions[language.name] = version_of(self.sandbox, language)
        return self._versions[language.name] is not None


class GameFailed(PlatformFault):
    """The rules of a game failed in a match: neither the bots nor this machine are to blame."""

    def __init__(self, game: Game[Any], error: Exception) -> None:
        text = f"{type(error).__name__}: {error}"[:ERROR_CHARS_MAX].replace("\0", "")
        super().__init__(Message(GAME_FAILED, {"game": game.title, "package": package_of(game.name), "error": text}))


@dataclass(frozen=True, slots=True)
class Player:
    """A bot on a seat: its name and version, its program, and the program's limits."""

    info: SeatInfo
    program: Program
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True, slots=True)
class Played:
    """A match that has been played to its end, with or without faults of bots."""

    outcome: Outcome
    seats: list[SeatReport]
    replay: bytes
    log: bytes | None
    """The turn log (``wire.turnlog``); None if it has no more than the replay."""
    turns: list[LoggedTurn]
    """What would stand in the turn log."""
    waited: Message | None
    """A message if a bot waited long for a core because of programs outside this match."""


def match_play(job: PlayJob, tools: Tools, show: Show = show_nothing) -> MatchReport:
    """Play the match of a job, upload its replay, and return the report. Never raises: errors are in the report.

    ``show`` is called with the lines of the replay as the match goes on.
    """
    try:
        game = rules_of(job.game, job.rules_version)
        players = [player_of(seat, tools, limits_of(job.limits)) for seat in job.seats]
        percent = job.limits.time_percent
        sandbox = tools.sandbox
        played = table_play(
            game, job.seed, job.options, players=players, sandbox=sandbox, time_percent=percent, show=show
        )
        # Check that each bot with a fault still has all its files; a bot must not be blamed for files deleted here.
        for seat, player in zip(played.seats, players, strict=True):
            if seat.fault:
                tools.cache.verify(player.info.digest)
        if played.waited and job.attempt <= AGAIN_MAX:
            log.warning("match_waited", reason=str(played.waited))
            return match_report(job, tools, turns=played.outcome.turns, platform_fault=played.waited)
        digests = table_store(played, job.replay_url, tools.transfer)
        show(played.outcome.records)  # only now, since the end of an attempt that does not count must not be shown
    except Exception as error:  # noqa: BLE001 - an error of the platform; no bot may lose for it
        return match_report(job, tools, platform_fault=platform_message(error), lacks=lacked(error))
    return match_report(job, tools, turns=played.outcome.turns, seats=played.seats, **digests)


def table_play(
    game: Game[Any],
    seed: int,
    options: JsonObject,
    *,
    players: Sequence[Player],
    sandbox: Sandbox,
    time_percent: int = 100,
    show: Show = show_nothing,
    forced: Sequence[Mapping[int, list[str]]] = (),
) -> Played:
    """Start all bots, play the match, and end the bots.

    Args:
        game: rules of the game.
        seed: seed of the match.
        options: options of the game's ruleset.
        players: the bots, by seat.
        sandbox: where the bots run.
        time_percent: CPU time of each turn, in percent of what the game allows.
        show: called with the lines of each turn, but not with the last lines, which have the result.
        forced: the answers by seat of the first turns, which take the place of what the bots answer.

    Raises:
        GameFailed: the rules failed.
        PlatformFault: the sandbox failed, or the machine has too little memory.
    """
    with ExitStack() as stack:
        stack.enter_context(memory_reserved(player.limits for player in players))
        seats = [
            BotSeat(index, stack.enter_context(sandbox.start(player.program, player.limits)))
            for index, player in enumerate(players)
        ]
        infos = [player.info for player in players]
        match = play(game, seed=seed, seats=infos, options=options, time_percent=time_percent)
        match = rules_blamed(match, game)

        def answer(turn: Turn) -> dict[int, Reply]:
            show(turn.records)
            # One bot after the other: while one answers, the others are frozen, so that they cannot think meanwhile.
            replies = {ask.seat: seats[ask.seat].reply(turn.number, ask) for ask in turn.asks}
            if turn.number > len(forced):
                return replies
            answers = forced[turn.number - 1]
            return {
                seat: reply if reply.fault else replace(reply, lines=answers.get(seat, []))
                for seat, reply in replies.items()
            }

        outcome, records = drive(match, answer)
        reports = [seat.report(outcome) for seat in seats]
        waited_ms, number = max(seat.longest_wait for seat in seats)
    waited = Message("worker-overloaded", {"waited": round(waited_ms), "turn": number}) if waited_ms else None
    turns = [turn for seat in seats for turn in seat.turns]
    log = pack(turns) if waited or has_more_than_replay(turns) else None
    return Played(outcome, reports, encode(records), log, turns, waited)


def rules_blamed(match: Match, game: Game[Any]) -> Match:
    """Return the same match, but with ``GameFailed`` in place of each error of the rules.

    A frame that is no JSON counts as one. BadOptions is raised as it is, since the options come from the site's job.
    """
    try:
        return (yield from match)
    except BadOptions:  # in a job of the site
        raise
    except Exception as error:
        raise GameFailed(game, error) from error


def table_store(played: Played, url: str, transfer: Transfer) -> dict[str, str | None]:
    """Upload the replay of a match, and its turn log if there is one; return their digests as fields of a report.

    Raises:
        PlatformFault: an upload failed.
    """
    replay_digest = transfer.put(url, played.replay)
    return {"replay_digest": replay_digest, "log_digest": transfer.put(url, played.log) if played.log else None}


def limits_of(limits: BotLimits) -> Limits:
    """Return the sandbox's limits for those of a job; decoding the message has checked that they are not too high."""
    chosen = msgspec.structs.asdict(limits)
    del chosen["time_percent"]  # of the referee, which gives each turn its limit
    return Limits(**chosen)


def player_of(seat: SeatProgram, tools: Tools, limits: Limits) -> Player:
    """Return the bot of a seat, with its program downloaded and unpacked.

    Raises:
        Lacking: the program's language is not installed here.
        PlatformFault: the program cannot be downloaded.
    """
    language = languages.language(seat.language)
    if not tools.has(language):
        packages = " ".join(language.packages)
        why = Message("worker-no-language", {"language": language.title, "packages": packages})
        raise Lacking(why, language.name)
    root = tools.cache.root(seat.artifact_url, seat.artifact_digest)
    program = Program(root, language.command(seat.entry, limits))
    return Player(SeatInfo(seat.name, seat.version, seat.artifact_digest), program, limits)


def game_of(name: str) -> Game[Any]:
    """Return a game by its name; raise Lacking if this worker does not know it, or cannot use its package."""
    try:
        return game_named(name)
    except KeyError as error:
        raise Lacking(Message("worker-no-game", {"game": name}), RULES) from error
    except BrokenGame as error:
        raise Lacking(said(str(error)), RULES) from error


def rules_of(name: str, rules_version: str) -> Game[Any]:
    """Return a game by its name and the version of its rules; raise Lacking if this worker does not know them."""
    newest = game_of(name)
    try:
        return game_named(name, rules_version)
    except KeyError as error:
        versions = {"here": ", ".join(rules_versions(name)), "wanted": rules_version}
        raise Lacking(Message("worker-other-rules", {"game": newest.title, **versions}), RULES) from error
    except BrokenGame as error:
        raise Lacking(said(str(error)), RULES) from error


def wants_rest(report: MatchReport | BuildReport | TryReport) -> bool:
    """Tell whether a report shows that this machine may be broken, or lacks what others may have.

    A match that was played to its end, and is repeated because a bot waited for a core, shows neither; nor do rules
    that fail: the worker goes on with the matches of other games at once.
    """
    if isinstance(report, MatchReport) and report.turns:
        return False
    if report.platform_fault and report.platform_fault.kind == GAME_FAILED:
        return False
    return bool(report.platform_fault or report.lacks)


def platform_message(error: Exception) -> Message:
    """Log an error of the platform and return its message for the report; for an unexpected error only its class."""
    log.exception("platform_fault", exc_info=error)
    if isinstance(error, PlatformFault):
        return message_cut(error.why)
    return Message("worker-failed", {"error": type(error).__name__})


class BotSeat:
    """One running bot with its used CPU time, its turns, and evidence in case of a fault."""

    def __init__(self, index: int, process: Process) -> None:
        self.turns: deque[LoggedTurn] = deque(maxlen=TURNS_KEPT)
        self._index = index
        self._process = process
        self._costs = [(0.0, 0.0)]
        """CPU time of each turn, as a share of the turn's limit and in milliseconds."""
        self._evidence = Evidence()
        self.longest_wait = (0.0, 0)
        """The longest wait for a core that may have disturbed the bot, in milliseconds, and the number of its turn."""

    def reply(self, turn: int, ask: Ask) -> Reply:
        """Ask the bot and return its answer; after a fault, a reply with the verdict, with which the match goes on."""
        try:
            answer = self._process.ask(list(ask.lines), TurnLimits(ask.cpu_ms, ask.answer_lines))
        except BotFault as fault:
            self._evidence = fault.evidence
            self._process.kill()
            self._record(turn, ask, fault.evidence.turn_stderr)
            written = tuple(fault.evidence.last_output.splitlines())
            cost = fault.evidence.cpu_ms, fault.evidence.wall_ms
            return Reply(written, *cost, fault=fault.verdict, why=fault.why)
        cost = answer.cpu_ms, answer.wall_ms
        self._evidence = Evidence(
            last_input=ask.lines,
            last_output="\n".join(answer.lines),
            cpu_ms=answer.cpu_ms,
            wall_ms=answer.wall_ms,
            waited_ms=answer.waited_ms,
        )
        self._record(turn, ask, answer.stderr)
        return Reply(answer.lines, *cost)

    def _record(self, turn: int, ask: Ask, stderr: str) -> None:
        """Add the costs of the turn that has just ended, and its line in the turn log."""
        seen = self._evidence
        self._costs.append((seen.cpu_ms / ask.cpu_ms, seen.cpu_ms))
        if seen.waited_ms > WAITED_SHARE * ask.cpu_ms and seen.wall_ms > WALL_SHARE * ask.cpu_ms:
            self.longest_wait = max(self.longest_wait, (seen.waited_ms, turn))
        self.turns.append(
            LoggedTurn(
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
        """Return the result of the seat for the report."""
        seat = self._index
        fault = outcome.faults[seat]
        if fault and self.turns:  # at a table that all players have left, a bot may never have been asked
            self.turns[-1] = msgspec.structs.replace(self.turns[-1], fault=fault.verdict)
        return SeatReport(
            rank=outcome.ranks[seat],
            score=outcome.scores[seat],
            cpu_ms_total=sum(cpu_ms for _, cpu_ms in self._costs),
            # Of the turn nearest to its limit. The longest turn is nearly always the first, whose limit is higher.
            cpu_ms_worst=max(self._costs)[1],
            fault=fault_report(fault, self._explain()) if fault else None,
        )

    def _explain(self) -> Evidence:
        """Return the sandbox's evidence, with standard error and memory added if the referee found the fault."""
        if self._evidence.memory_peak_mib:
            return self._evidence
        peak_mib = self._process.usage().memory_peak_mib
        return replace(self._evidence, stderr=self._process.stderr(), memory_peak_mib=peak_mib)


def match_report(job: PlayJob | TableJob, tools: Tools, **ending: Any) -> MatchReport:
    """Return the report of a job with the fields ``ending``; the others say that no match was played."""
    ending = {"turns": 0, "seats": [], "replay_digest": None, **ending}
    return MatchReport(
        match_id=job.match_id, attempt=job.attempt, lease_token=job.lease_token, worker=tools.worker, **ending
    )
