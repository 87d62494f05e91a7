"""Reports which bots were at fault in matches at home, or gave answers that the game did not understand.

In the table of ratings such a bot only looks weak.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from typing import Any

from banzuke.bots import as_argument
from banzuke.pool import Setting
from banzuke.results import Result


def faults_text(setting: Setting, results: Sequence[Result]) -> str:
    """Return lines with how often each bot was at fault or not understood, and a command that replays such a match."""
    lines = []
    for bot in setting.bots:
        played = [result for result in results if bot.digest in result.digests]
        verdicts = [result.faults[result.digests.index(bot.digest)] for result in played]
        failed = [(result, verdict) for result, verdict in zip(played, verdicts, strict=True) if verdict]
        if failed:
            last, verdict = failed[-1]
            lines += [
                f"{bot.name} was at fault in {len(failed)} of {len(played)} matches, the last time by: {verdict}.",
                f"  To see why: {_command(setting, last)}",
            ]
        seats = [(result, result.digests.index(bot.digest)) for result in played if result.forgiven]
        found = [(result, forgiven) for result, seat in seats if (forgiven := result.forgiven[seat])]
        if found:
            first, forgiven = found[0]
            count = sum(each.count for _, each in found)
            lines += [
                f"{bot.name}: in {len(found)} of {len(played)} matches answers were not understood, or not allowed,"
                f" {count} in all; the first: {forgiven.answer}.",
                f"  To see it: {_command(setting, first)}",
            ]
    return "\n".join(lines)


def _command(setting: Setting, result: Result) -> str:
    """Return the command line that plays a match again, with ``@FILE`` for options whose values came from a file."""
    texts = {bot.digest: as_argument(bot.text) for bot in setting.bots}
    words = ["banzuke", "play", setting.game, *(texts[digest] for digest in result.digests), "--seed", str(result.seed)]
    for name, value in setting.options.items():
        words += ["--option", f"{name}={_text(value)}"]
    if setting.sandbox:
        words += ["--sandbox", setting.sandbox]
    return shlex.join(words)


def _text(value: Any) -> str:
    """Return the value of an option as ``--option`` takes it; ``@FILE`` stands for one that came from a file."""
    if isinstance(value, str):
        return value
    return json.dumps(value) if isinstance(value, int | float) else "@FILE"
