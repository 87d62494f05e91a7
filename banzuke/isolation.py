"""Runs bots at home, as plain child processes or in a sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import sandbox
from banzuke.bots import Bot
from banzuke.local import STDERR_BYTES, RandomBot, RunningBot, local_bot
from banzuke.text import UserError
from core.referee import Ask, Reply
from core.text import ending
from sandbox.api import BotFault, NoSandbox, PlatformFault, Process, Program, Sandbox, TurnLimits


@contextlib.contextmanager
def sandbox_opened(name: str | None) -> Iterator[Sandbox | None]:
    """Yield the sandbox backend of a name, or None if the name is None; the backend is closed at the end.

    Raises:
        UserError: the backend does not work on this machine, or failed while it was used.
    """
    if name is None:
        yield None
        return
    try:
        backend = sandbox.backend(name)
    except NoSandbox as error:
        raise UserError(str(error)) from error
    with contextlib.closing(backend):
        try:
            yield backend
        except PlatformFault as fault:
            raise UserError(f"The sandbox failed, no bot is to blame: {fault}") from fault


@contextlib.contextmanager
def bot_running(bot: Bot, backend: Sandbox | None, *, clock: bool = True) -> Iterator[RunningBot]:
    """Run a bot and kill it at the end.

    Args:
        bot: the bot.
        backend: the sandbox; None: no sandbox.
        clock: whether the bot has a time limit; in a sandbox it always has.

    Raises:
        OSError: there is no such program.
        ValueError: the bot's command has an open quote.
        PlatformFault: the sandbox failed.
    """
    if bot.plays_at_random:
        yield RandomBot(bot.plays_at_random)
    elif backend is None or bot.root is None:
        with local_bot(bot.command, bot.root, clock=clock) as player:
            yield player
    else:
        with backend.start(Program(bot.root, bot.argv), bot.limits) as process:
            yield _SandboxedBot(process)


class _SandboxedBot:
    """A bot in a sandbox, with the interface ``RunningBot``."""

    def __init__(self, process: Process) -> None:
        self._process = process

    def ask(self, ask: Ask) -> Reply:
        """Write a question and return the answer, or a reply with a verdict if the bot was at fault."""
        try:
            answer = self._process.ask(list(ask.lines), TurnLimits(ask.cpu_ms, ask.answer_lines))
        except BotFault as fault:
            seen = fault.evidence
            return Reply(
                seen.last_output.splitlines(), seen.cpu_ms, seen.wall_ms, fault.verdict, fault.why, seen.turn_stderr
            )
        return Reply(answer.lines, answer.cpu_ms, answer.wall_ms, stderr=answer.stderr)

    def stderr_tail(self) -> str:
        """Return the end of what the bot has written to standard error."""
        text = self._process.stderr()
        return ending(text, max(0, len(text) - STDERR_BYTES))
