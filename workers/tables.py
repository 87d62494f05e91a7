"""Plays one match in which some seats are remote: persons in browsers, or programs on their players' machines.

A worker of tables has one process with many threads, each of which plays a table: ``celery -A workers.app worker
-P threads -Q table -c 8``. Between turns the bots are frozen, so a table that waits for a person costs memory alone.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from typing import Any

import msgspec
from celery.worker import state as celery_state

from core.game import Game, IllegalAnswer
from core.message import Message, said, stored
from core.referee import GIVEN_UP, TIME, Ask, Outcome, Reply, SeatInfo, Turn, answer_read, drive, play
from core.replay import encode
from core.sight import Sight
from sandbox.api import Evidence
from wire.jobs import MatchReport, RealTime, RemoteProgram, SeatReport, TableJob
from wire.tables import IDLE_SECONDS, TABLE_SECONDS_MAX, UNCLOCKED_SECONDS_MAX, Answer, Out, Question
from wire.turnlog import has_more_than_replay, pack
from workers.evidence import fault_report
from workers.lacking import lacked
from workers.memory import memory_reserved
from workers.play import (
    BotSeat,
    Played,
    Player,
    Tools,
    limits_of,
    match_report,
    platform_message,
    player_of,
    rules_blamed,
    rules_of,
    table_store,
)
from workers.table_link import TableLink

STOPS = "Its worker was stopped."
ENDED = "The site has ended the table."
_SHOWN_SECONDS = 0.02
"""How long after a whole second the first state is shown in real time, so that rounding does not change the second."""
# Each bot's wall time is a multiple of its CPU time: with more bots computing at once than there are cores, bots would
# get too little of them, and their matches would be void.
_cores = threading.BoundedSemaphore(len(os.sched_getaffinity(0)))
"""Held while a bot starts or computes, so that there are no more of them at once than cores."""


def must_end() -> str:
    """Return why open tables must end now: this worker is shutting down. Empty: it is not."""
    stops = celery_state.should_stop is not None or celery_state.should_terminate is not None
    return STOPS if stops else ""


def table_match_play(job: TableJob, tools: Tools, link: TableLink) -> MatchReport:
    """Play the match of a table, upload its replay, and return the report. Never raises: errors are in the report."""
    try:
        game = rules_of(job.game, job.rules_version)
        limits = limits_of(job.limits)
        players = {seat: player_of(program, tools, limits) for seat, program in job.bots.items()}
        played = _Table(game, job, link).play(players, tools)
        for seat, player in players.items():
            if played.seats[seat].fault:
                tools.cache.verify(player.info.digest)
        digests = table_store(played, job.replay_url, tools.transfer)
        link.end(played.outcome.records)  # only now, since the end of a match that does not count must not be shown
    except Exception as error:  # noqa: BLE001 - an error of the platform; no bot may lose for it
        return match_report(job, tools, platform_fault=platform_message(error), lacks=lacked(error))
    return match_report(job, tools, turns=played.outcome.turns, seats=played.seats, **digests)


class _Table:
    """One match with its remote seats."""

    def __init__(self, game: Game[Any], job: TableJob, link: TableLink) -> None:
        self._game, self._job, self._link = game, job, link
        self._remotes = {seat: _RemoteSeat(game, seat, remote, job, link) for seat, remote in job.remotes.items()}
        self._bots: dict[int, BotSeat] = {}
        self._begins = 0.0
        """When the first turn begins in real time, by ``time.monotonic``."""

    def play(self, players: Mapping[int, Player], tools: Tools) -> Played:
        """Start the bots ``players``, given by seat, play the match, and end the bots.

        Raises:
            GameFailed: the rules failed.
            PlatformFault: the sandbox or the broker failed, the table must end, or the machine has too little memory.
        """
        job = self._job
        with ExitStack() as stack:
            stack.enter_context(memory_reserved(player.limits for player in players.values()))
            for seat, player in players.items():
                with _cores:
                    process = stack.enter_context(tools.sandbox.start(player.program, player.limits))
                self._bots[seat] = BotSeat(seat, process)
            infos = {seat: player.info for seat, player in players.items()}
            infos |= {seat: SeatInfo(remote.name) for seat, remote in job.remotes.items()}
            percent = job.limits.time_percent
            seats = [infos[seat] for seat in sorted(infos)]
            match = play(self._game, seed=job.seed, seats=seats, options=job.options, time_percent=percent)
            outcome, records = drive(rules_blamed(match, self._game), self._answer)
            reports = [
                self._bots[seat].report(outcome) if seat in self._bots else self._remotes[seat].report(outcome)
                for seat in sorted(infos)
            ]
        turns = [turn for bot in self._bots.values() for turn in bot.turns]
        log = pack(turns) if has_more_than_replay(turns) else None
        return Played(outcome, reports, encode(records), log, turns, None)

    def _answer(self, turn: Turn) -> dict[int, Reply]:
        played, times = self._job.played, self._job.real_time
        earlier = turn.number - 1 - len(played)
        if times and not earlier:
            self._begin(times)
        self._show(turn)
        if earlier < 0:
            return self._forced(turn, played[turn.number - 1])
        if times:
            # Each turn is counted from the start: otherwise the delays of all turns would add up.
            turns_at = self._begins + earlier * (times.operation_seconds + times.transition_seconds)
            self._rest(turns_at - time.monotonic())
        remote = [ask for ask in turn.asks if ask.seat in self._remotes]
        if not remote:
            self._note_leaving()
        if all(seat.has_left for seat in self._remotes.values()):
            # Nobody waits for what the bots would play among themselves, and others wait for the table.
            return {ask.seat: Reply([], fault=GIVEN_UP, why=Message("table-deserted")) for ask in turn.asks}
        for ask in remote:
            self._remotes[ask.seat].ask(turn.number, ask)
        # The bots compute while the remote seats think.
        replies = {ask.seat: self._bot_reply(turn, ask) for ask in turn.asks if ask.seat in self._bots}
        return replies | self._remote_replies([ask.seat for ask in remote])

    def _begin(self, times: RealTime) -> None:
        """Wait for a whole second of Unix time; the first turn begins ``start_seconds`` after it.

        So everybody who reads when the first state was shown knows when each turn begins.
        """
        wait = 1 - time.time() % 1
        self._begins = time.monotonic() + wait + times.start_seconds
        self._link.rest(wait + _SHOWN_SECONDS)

    def _bot_reply(self, turn: Turn, ask: Ask) -> Reply:
        with _cores:
            return self._bots[ask.seat].reply(turn.number, ask)

    def _remote_replies(self, seats: Sequence[int]) -> dict[int, Reply]:
        """Return the replies by seat, when each of these seats has answered or its time is up."""
        replies: dict[int, Reply] = {}
        while waiting := [seat for seat in seats if seat not in replies]:
            until = min(self._remotes[seat].until for seat in waiting)
            if taken := self._link.take(waiting, until=until):
                seat, answer = taken
                if reply := self._remotes[seat].answered(answer):
                    replies[seat] = reply
                continue
            remotes = {seat: self._remotes[seat] for seat in waiting}
            if self._link.was_restored():  # the broker had lost the questions, and perhaps answers to them
                for remote in remotes.values():
                    remote.ask_again()
            replies |= {seat: remote.time_up() for seat, remote in remotes.items() if remote.until <= time.monotonic()}
        return replies

    def _rest(self, seconds: float) -> None:
        """Wait for ``seconds`` before a turn, and note who has left meanwhile."""
        self._link.rest(seconds)
        self._note_leaving()

    def _note_leaving(self) -> None:
        """Take the answers that players have sent while they are not asked: they count only if the player leaves."""
        while taken := self._link.take(self._remotes, until=time.monotonic()):
            seat, answer = taken
            self._remotes[seat].has_left |= answer.leaves

    def _forced(self, turn: Turn, answers: Mapping[int, list[str]]) -> dict[int, Reply]:
        """Return replies with the ``answers`` of an earlier match; bots are asked, too, so that they know the match."""
        replies = {}
        for ask in turn.asks:
            if ask.seat in self._bots:
                self._bot_reply(turn, ask)
            else:
                self._remotes[ask.seat].is_new = False
            replies[ask.seat] = Reply(answers.get(ask.seat, []))
        return replies

    def _show(self, turn: Turn) -> None:
        public = [{**record, "seed": 0} if "seed" in record else record for record in turn.records]
        if not self._game.hides:
            self._link.show(public)
        for seat, remote in self._remotes.items():
            self._link.show_seat(seat, remote.sight.records(turn) if remote.sight else public)
            remote.tell_fault(turn)


class _RemoteSeat:
    """One remote seat: its open question, and how it ended."""

    def __init__(self, game: Game[Any], seat: int, remote: RemoteProgram, job: TableJob, link: TableLink) -> None:
        self.sight = Sight(game, seat) if game.hides else None
        self.is_new = True
        """Whether the seat has not been asked yet, not even in a turn whose answer was given (``TableJob.played``)."""
        self._game, self._seat, self._remote, self._link = game, seat, remote, link
        self._real_time = job.real_time
        self._ends_at = time.monotonic() + TABLE_SECONDS_MAX
        self._number = 0
        self.has_left = False
        """Whether the player has left, which may be while the seat is not asked."""
        self._question: tuple[Ask, Question] | None = None
        self._last: list[str] | None = None
        """The last answer of this turn, in real time."""
        self._begun = 0.0
        self._is_idle = False

    def ask(self, turn: int, ask: Ask) -> None:
        """Ask the player; ``answered`` takes the answers until ``until``."""
        self._begun, self._last = time.monotonic(), None
        # Somebody who takes over a seat has not read its introduction.
        takes_over = not self.is_new and not self._number
        introduction = self._game.introduce(ask.state, 0, self._seat) if takes_over else []
        self.is_new = False
        self._put(
            ask,
            Question(
                number=0,
                turn=turn,
                lines=[*introduction, *ask.lines],
                answer_lines=ask.answer_lines,
                offered=self._game.lines_offered(ask.state, 0, self._seat),
                seconds=self._real_time.operation_seconds if self._real_time else self._remote.clock_seconds,
                cpu_ms=ask.cpu_ms,
                tries=self._remote.tries,
            ),
        )

    @property
    def until(self) -> float:
        """When the time for an answer is up, by ``time.monotonic``."""
        if self.has_left:
            return self._begun
        if self._real_time:
            return self._begun + self._real_time.operation_seconds
        return min(self._begun + (self._remote.clock_seconds or UNCLOCKED_SECONDS_MAX), self._ends_at)

    def answered(self, answer: Answer) -> Reply | None:
        """Return the reply that an answer stands for. None: the question stays open, or is asked again.

        A player may leave at any time. Answers to earlier questions, late or sent twice, do not count.
        """
        ask, question = self._asked
        if answer.leaves:
            self.has_left, self._is_idle = True, answer.is_idle
            return self.time_up()
        if self._real_time:
            self._last = answer.lines
            return None
        if answer.number != question.number:
            return None
        illegal = self._illegality(ask, answer.lines)
        if illegal is None or question.tries == 1:
            return Reply(answer.lines, wall_ms=self._wall_ms())
        self.ask_again(refused=stored(illegal), tries=question.tries - 1)
        return None

    def ask_again(self, **changes: Any) -> None:
        """Ask the open question once more, with ``changes`` of its fields, in the time that is left."""
        ask, question = self._asked
        left = max(0.0, self.until - time.monotonic()) if question.seconds else 0.0
        self._put(ask, msgspec.structs.replace(question, seconds=left, **changes))

    def time_up(self) -> Reply:
        """Return the reply of a seat that gives no other answer in this turn.

        In real time that is its last answer, or doing nothing if it gave none or an illegal one.
        """
        ask, _ = self._asked
        wall_ms = self._wall_ms()
        if self.has_left:
            why = Message("remote-idle", {"seconds": IDLE_SECONDS}) if self._is_idle else Message("remote-left")
            return Reply([], wall_ms=wall_ms, fault=GIVEN_UP, why=why)
        if self._real_time:
            if self._last is None or self._illegality(ask, self._last) is not None:
                return Reply([self._real_time.idle_line] * ask.answer_lines)
            return Reply(self._last)
        why = Message("remote-slow", {"seconds": round(wall_ms / 1_000)})
        return Reply([], wall_ms=wall_ms, fault=TIME, why=why)

    def _wall_ms(self) -> float:
        return (time.monotonic() - self._begun) * 1_000

    def _illegality(self, ask: Ask, lines: list[str]) -> Message | None:
        """Return why an answer is illegal; None if it is legal."""
        try:
            answer_read(self._game, ask, lines)
        except IllegalAnswer as error:
            return error.message
        return None

    def _put(self, ask: Ask, question: Question) -> None:
        """Send the question to the player under a new number, so that an answer to an earlier one does not count."""
        self._number += 1
        question = msgspec.structs.replace(question, number=self._number)
        self._question = ask, question
        self._link.tell(self._seat, question)

    @property
    def _asked(self) -> tuple[Ask, Question]:
        assert self._question is not None  # noqa: S101 - ``ask`` has been called
        return self._question

    def tell_fault(self, turn: Turn) -> None:
        """Tell the player once that the seat is out, and why, if these lines of the replay say so.

        An event ``out`` of a game need not say why.
        """
        for record in turn.records:
            for event in record.get("events", ()):
                if event["kind"] in ("fault", "out") and event["seat"] == self._seat:
                    verdict, why = event["args"].get("verdict", ""), event["args"].get("why")
                    told = why if isinstance(why, dict) else stored(said(""))
                    self._link.tell(self._seat, Out(turn=event["turn"], verdict=verdict, why=told))

    def report(self, outcome: Outcome) -> SeatReport:
        """Return the result of the seat for the report; it has used no CPU time here."""
        fault = outcome.faults[self._seat]
        return SeatReport(
            rank=outcome.ranks[self._seat],
            score=outcome.scores[self._seat],
            cpu_ms_total=0.0,
            cpu_ms_worst=0.0,
            fault=fault_report(fault, Evidence()) if fault else None,
        )
