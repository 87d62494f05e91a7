"""Runs bots at home, as plain child processes or in a sandbox."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import sandbox
from banzuke.bots import Bot
from banzuke.local import ProcessBot, RandomBot, RunningBot, local_process
from banzuke.text import UserError
from sandbox.api import NoSandbox, PlatformFault, Program, Sandbox


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
    """Run a bot in the sandbox ``backend``, or with None without one; yield it, and kill it at the end.

    In a sandbox a bot always has a time limit, else only with ``clock``.

    Raises:
        OSError: there is no such program.
        ValueError: the bot's command is empty or has an open quote.
        PlatformFault: the sandbox failed.
    """
    if bot.plays_at_random:
        yield RandomBot(bot.plays_at_random)
    elif backend is None or bot.root is None:
        with local_process(bot.command, bot.root, clock=clock) as process:
            yield ProcessBot(process)
    else:
        with backend.start(Program(bot.root, bot.argv), bot.limits) as process:
            yield ProcessBot(process)
