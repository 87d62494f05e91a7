"""Plays many matches at home, several at a time, each in a process of its own."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Container, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice
from types import FrameType

from banzuke.bots import Bot, user_folder
from banzuke.isolation import bot_running, walls_opened
from banzuke.results import Key, Log, Result
from banzuke.signals import ending_signals
from banzuke.text import UserError
from core.game import BadOptions, JsonObject
from core.referee import SeatInfo, drive, play
from games.registry import game_named
from sandbox.api import PlatformFault, Sandbox
from sandbox.cores import keep_to_own_core


@dataclass(frozen=True, slots=True)
class Setting:
    """What all the matches have in common."""

    game: str
    options: JsonObject
    bots: tuple[Bot, ...]
    sandbox: str | None
    """Name of a backend; None: no walls."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match that is to be played."""

    seed: int
    seats: tuple[int, ...]
    """Numbers of bots."""


def results_known(setting: Setting, log: Log) -> list[Result]:
    """Return the results of matches that were played before, by the same bots under the same rules."""
    rules = game_named(setting.game).rules_version
    digests = [bot.digest for bot in setting.bots]
    return log.of(game=setting.game, rules=rules, options=setting.options, digests=digests)


def pairings_left(
    setting: Setting, *, seeds: Iterable[int], seatings: Sequence[tuple[int, ...]], done: Container[Key]
) -> Iterator[Pairing]:
    """Yield the matches that have not been played yet.

    Args:
        setting: of all matches.
        seeds: of the boards.
        seatings: who sits where, one match each on every board: numbers of bots.
        done: what has been played.
    """
    for seed in seeds:
        for seats in seatings:
            if (seed, tuple(setting.bots[number].digest for number in seats)) not in done:
                yield Pairing(seed, seats)


class Stop:
    """Whether the user has asked for the end: by Ctrl-C, after the matches under way; by a second one, at once."""

    def __init__(self) -> None:
        self.asked = False

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        """Take a signal."""
        if self.asked or signum != signal.SIGINT:
            for process in multiprocessing.active_children():
                process.terminate()
            raise KeyboardInterrupt
        self.asked = True
        sys.stderr.write("\nEnding after the matches under way; Ctrl-C again drops them.\n")


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Let the user end a league: what has ended is kept, whatever happens to be written at the moment is whole."""
    stop = Stop()
    before = {number: signal.signal(number, stop.interrupt) for number in (signal.SIGINT, *ending_signals())}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def matches_played(setting: Setting, pairings: Iterator[Pairing], *, parallel: int, stop: Stop) -> Iterator[Result]:
    """Play matches in order, so many at a time, and yield their results as they end.

    Raises:
        UserError: a match cannot be played: the options are wrong, a program is missing, the sandbox has failed.
    """
    context = multiprocessing.get_context("spawn")  # bots of one match must not inherit the pipes of another's
    with ProcessPoolExecutor(parallel, context, initializer=_begin, initargs=(setting, parallel)) as pool:
        flying: set[Future[Result]] = set()
        while True:
            if not stop.asked:
                with _interrupts_held():
                    flying |= {pool.submit(_play, pairing) for pairing in islice(pairings, parallel - len(flying))}
            if not flying:
                return
            landed, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in landed:
                yield _result(future)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Start processes that a Ctrl-C does not reach before they can ignore it: the terminal sends it to them, too."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _result(future: Future[Result]) -> Result:
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise UserError(
            "A process that played was killed, perhaps for lack of memory: try a lower --parallel."
        ) from error


_stack = ExitStack()
"""Of a process of the pool: what it holds open as long as it lives."""
_setting: Setting
_walls: Sandbox | None


def _begin(setting: Setting, parallel: int) -> None:
    global _setting, _walls
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to all; the first process decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see _interrupts_held
    signal.signal(signal.SIGTERM, lambda signum, frame: sys.exit(1))  # an exception, so that no bot is left behind
    threading.Thread(target=_end_with_the_league, daemon=True).start()
    with suppress(OSError):  # no place to keep what marks a core as taken: the kernel divides them
        keep_to_own_core(user_folder(), parallel)
    _setting, _walls = setting, _stack.enter_context(walls_opened(setting.sandbox))
    gc.freeze()  # what lives as long as the process need not be searched for garbage, match after match


def _end_with_the_league() -> None:
    """Wait for the end of the process that began this one: killed, it ends nobody, and this one would wait for ever."""
    multiprocessing.parent_process().join()  # type: ignore[union-attr]  # a process of a pool has one
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)  # type: ignore[arg-type]  # it runs


def _play(pairing: Pairing) -> Result:
    try:
        return _played(pairing)
    except SystemExit:
        os._exit(1)  # the pool would take it for the match's error, and wait for the next match


def _played(pairing: Pairing) -> Result:
    game, bots = game_named(_setting.game), [_setting.bots[number] for number in pairing.seats]
    seats = [SeatInfo(bot.name, "", bot.digest) for bot in bots]
    match = play(game, seed=pairing.seed, seats=seats, options=_setting.options)
    try:
        with ExitStack() as stack:
            players = [stack.enter_context(bot_running(bot, _walls)) for bot in bots]
            outcome, _ = drive(match, lambda turn: {ask.seat: players[ask.seat].ask(ask) for ask in turn.asks})
    except (BadOptions, OSError, ValueError, PlatformFault) as error:
        raise UserError(f"A match cannot be played: {error}") from error
    return Result(
        game=game.name,
        rules=game.rules_version,
        options=_setting.options,
        seed=pairing.seed,
        bots=[bot.name for bot in bots],
        digests=[bot.digest for bot in bots],
        ranks=list(outcome.ranks),
        scores=list(outcome.scores),
        faults=[fault.verdict if fault else None for fault in outcome.faults],
        forgiven=list(outcome.forgiven),
    )
