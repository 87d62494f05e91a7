"""Which bots were at fault in matches at home, and how to see it: who loses by faults looks merely weak in a table."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from banzuke.bots import as_argument
from banzuke.pool import Setting
from banzuke.results import Result


def faults_text(setting: Setting, results: Sequence[Result]) -> str:
    """Return of each bot at fault how often it was, and the command that plays such a match again; "" if none was."""
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
    return "\n".join(lines)


def _command(setting: Setting, result: Result) -> str:
    """Return the command line that plays a match again; what was read from a file has to be named anew."""
    texts = {bot.digest: as_argument(bot.text) for bot in setting.bots}
    words = ["banzuke", "play", setting.game, *(texts[digest] for digest in result.digests), "--seed", str(result.seed)]
    for name, value in setting.options.items():
        words += ["--option", f"{name}={value if isinstance(value, str) else '@FILE'}"]
    if setting.sandbox:
        words += ["--sandbox", setting.sandbox]
    return shlex.join(words)
