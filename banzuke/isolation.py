"""Bots as the command line runs them: at home as plain child processes, or inside the walls of a sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import sandbox
from banzuke.bots import Bot
from banzuke.local import STDERR_BYTES, Player, local_bot
from banzuke.text import UserError
from core.referee import Ask, Reply
from core.text import ending
from sandbox.api import BotFault, Limits, NoSandbox, PlatformFault, Process, Program, Sandbox, TurnLimits


@contextlib.contextmanager
def walls_opened(name: str | None) -> Iterator[Sandbox | None]:
    """Provide the sandbox of a name, None for none.

    Raises:
        UserError: this machine cannot build it, and the sentence says what to install; or it failed while it was used.
    """
    if name is None:
        yield None
        return
    try:
        walls = sandbox.backend(name)
    except NoSandbox as error:
        raise UserError(str(error)) from error
    with contextlib.closing(walls):
        try:
            yield walls
        except PlatformFault as fault:
            raise UserError(f"The sandbox failed, no bot is to blame: {fault}") from fault


@contextlib.contextmanager
def bot_running(bot: Bot, walls: Sandbox | None, *, clock: bool = True) -> Iterator[Player]:
    """Run a bot; leaving ends it. Without walls it may have no clock: then no answer comes too late.

    Raises:
        OSError: there is no such program.
        ValueError: its command has an open quote.
        PlatformFault: the sandbox failed.
    """
    if walls is None or bot.root is None:
        with local_bot(bot.command, bot.root, clock=clock) as player:
            yield player
    else:
        with walls.start(Program(bot.root, bot.argv), Limits()) as process:
            yield _WalledBot(process)


class _WalledBot:
    """A bot inside walls, as the local referee asks it."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def ask(self, ask: Ask) -> Reply:
        """Write a question and wait for the whole answer, or for what went wrong."""
        try:
            answer = self._process.ask(list(ask.lines), TurnLimits(ask.cpu_ms, ask.answer_lines))
        except BotFault as fault:
            seen = fault.evidence
            return Reply(seen.last_output.splitlines(), seen.cpu_ms, seen.wall_ms, fault.verdict, fault.sentence)
        return Reply(answer.lines, answer.cpu_ms, answer.wall_ms)

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""
        text = self._process.stderr()
        return ending(text, max(0, len(text) - STDERR_BYTES))
