"""Plays many matches at home, several at a time, in a pool of processes."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from banzuke.bots import Bot, user_folder
from banzuke.isolation import bot_running, sandbox_opened
from banzuke.replays import replay_write
from banzuke.results import Key, Result, ResultLog
from banzuke.signals import ending_signals, handling
from banzuke.text import UserError
from core.game import BadOptions, JsonObject
from core.referee import SeatInfo, drive, play
from games.registry import game_named
from sandbox.api import PlatformFault, Sandbox
from sandbox.cores import keep_to_own_core


@dataclass(frozen=True, slots=True)
class Setting:
    """What all matches of a league, test or tournament have in common."""

    game: str
    options: JsonObject
    bots: tuple[Bot, ...]
    sandbox: str | None
    """The name of a sandbox backend; None: no sandbox."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """A match to play."""

    seed: int
    seats: tuple[int, ...]
    """Indexes into ``Setting.bots``, by seat."""
    replay: Path | None = None
    """The file to which the replay is written; None: it is not kept."""


def results_known(setting: Setting, log: ResultLog) -> list[Result]:
    """Return the results in a log of matches between the same bots, by the same rules and options."""
    digests = {bot.digest for bot in setting.bots}
    wanted = (setting.game, game_named(setting.game).rules_version, setting.options)
    return [
        found
        for found in log.results
        if (found.game, found.rules, found.options) == wanted and digests.issuperset(found.digests)
    ]


def pairings_left(
    setting: Setting, *, seeds: Iterable[int], seatings: Sequence[tuple[int, ...]], done: Container[Key]
) -> Iterator[Pairing]:
    """Yield the matches that have not been played yet: for each seed, one in each seating.

    A seating has indexes into ``setting.bots`` by seat; ``done`` are the keys of matches that have been played.
    """
    for seed in seeds:
        for seats in seatings:
            if (seed, tuple(setting.bots[number].digest for number in seats)) not in done:
                yield Pairing(seed, seats)


class Stop:
    """Handles Ctrl-C: the first ends the command after the running matches, the second at once."""

    def __init__(self) -> None:
        self.asked = False

    def interrupt(self, signum: int, frame: FrameType | None) -> None:
        """Handle a signal.

        Raises:
            KeyboardInterrupt: the command must end at once.
        """
        if self.asked or signum != signal.SIGINT:
            for process in multiprocessing.active_children():
                process.terminate()
            raise KeyboardInterrupt
        self.asked = True
        sys.stderr.write("\nEnding after the matches under way; Ctrl-C again drops them.\n")


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Handle Ctrl-C and other ending signals in the block, so that finished matches are kept; see ``Stop``."""
    stop = Stop()
    with handling(stop.interrupt, signal.SIGINT, *ending_signals()):
        yield stop


def matches_played(
    setting: Setting, take: Callable[[int], Iterable[Pairing]], *, parallel: int, stop: Stop
) -> Iterator[Result]:
    """Play matches in order, ``parallel`` at a time, and yield each result when the match has ended.

    Args:
        setting: what all matches have in common.
        take: returns the next matches, at most as many as it is asked for. It is called again after each result, so
            that results may decide what is played next; the end is when it returns none and no match is under way.
        parallel: how many matches are played at a time.
        stop: whether the user has asked for the end.

    Raises:
        UserError: a match cannot be played, because of its options, a missing program or the sandbox.
    """
    context = multiprocessing.get_context("spawn")  # bots of one match must not inherit the pipes of another's
    with ProcessPoolExecutor(parallel, context, initializer=_start_process, initargs=(setting, parallel)) as pool:
        running: set[Future[Result]] = set()
        while True:
            if not stop.asked:
                with _interrupts_held():
                    running |= {pool.submit(_play, pairing) for pairing in take(parallel - len(running))}
            if not running:
                return
            ended, running = wait(running, return_when=FIRST_COMPLETED)
            for future in ended:
                yield _result(future)


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block Ctrl-C in the block: processes started there inherit that, until they can ignore the signal themselves."""
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
"""What a process of the pool holds open until it ends."""
_setting: Setting
_backend: Sandbox | None


def _start_process(setting: Setting, parallel: int) -> None:
    global _setting, _backend
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal signals all processes; the parent decides
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # see _interrupts_held
    signal.signal(signal.SIGTERM, lambda signum, frame: sys.exit(1))  # raises an exception, so that bots are ended
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with suppress(OSError):  # no folder for the locks: the kernel assigns cores
        keep_to_own_core(user_folder(), parallel)
    _setting, _backend = setting, _stack.enter_context(sandbox_opened(setting.sandbox))
    gc.freeze()  # objects that exist now live until the end: the garbage collector need not check them


def _end_with_parent() -> None:
    """End this process when its parent ends: a parent that is killed cannot end it, and it would wait for ever."""
    multiprocessing.parent_process().join()  # type: ignore[union-attr]  # a process of a pool has a parent
    signal.pthread_kill(threading.main_thread().ident, signal.SIGTERM)  # type: ignore[arg-type]  # the main thread runs


def _play(pairing: Pairing) -> Result:
    try:
        return _played(pairing)
    except SystemExit:
        os._exit(1)  # otherwise the pool takes it for an error of the match and goes on


def _played(pairing: Pairing) -> Result:
    game, bots = game_named(_setting.game), [_setting.bots[number] for number in pairing.seats]
    seats = [SeatInfo(bot.name, "", bot.digest) for bot in bots]
    match = play(game, seed=pairing.seed, seats=seats, options=_setting.options)
    try:
        with ExitStack() as stack:
            players = [stack.enter_context(bot_running(bot, _backend)) for bot in bots]
            outcome, records = drive(match, lambda turn: {ask.seat: players[ask.seat].ask(ask) for ask in turn.asks})
    except (BadOptions, OSError, ValueError, PlatformFault) as error:
        raise UserError(f"A match cannot be played: {error}") from error
    if pairing.replay:
        replay_write(pairing.replay, records)
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
