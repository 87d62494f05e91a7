"""Checks the starter kits of a game: each is built and plays a match."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

from banzuke.bots import bot_ready
from banzuke.isolation import bot_running
from banzuke.testing.findings import Finding
from banzuke.text import UserError
from core.referee import SeatInfo, drive, play
from games.kits import kit_files, kit_languages
from games.registry import game_named
from games.words import ENGLISH, words_of
from sandbox.languages import language


def kit_findings(name: str) -> Iterator[Finding]:
    """Build the starter kits of a game and let each play a match in all seats; yield what is wrong."""
    for kit in kit_languages(name):
        where = f"starter kit, {language(kit).title}"
        tool = language(kit).tool
        if shutil.which(tool) is None:
            yield Finding(where, f"It was not tried, since {tool} is not installed here.", is_note=True)
            continue
        yield from (Finding(where, sentence) for sentence in _problems(name, kit))


def _problems(name: str, kit: str) -> Iterator[str]:
    game = game_named(name)
    with tempfile.TemporaryDirectory(prefix="banzuke-") as text, ExitStack() as stack:
        folder = Path(text, f"{name}_{kit}")
        for path, content in kit_files(name, kit).items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        try:
            bot = bot_ready(str(folder), game=name)
        except UserError as error:
            yield f"It cannot be built: {error}"
            return
        bots = [stack.enter_context(bot_running(bot, None, clock=False)) for _ in range(game.players[0])]
        seats = [SeatInfo(f"kit {seat}") for seat in range(len(bots))]
        options = next(iter(game.rulesets.values()))
        match = play(game, seed=5, seats=seats, options=options)
        outcome, _ = drive(match, lambda turn: {ask.seat: bots[ask.seat].ask(ask) for ask in turn.asks})
        for fault in filter(None, outcome.faults):
            why = words_of(name, ENGLISH).sentence(fault.why)
            yield f"It is at fault in turn {fault.turn} ({fault.verdict}): {why} {bots[0].stderr_tail()[-300:]}".strip()
            return
