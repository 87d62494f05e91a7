"""Plain words for what went wrong with an upload: what it means and what to try."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

_BY_VERDICT: dict[str, Promise] = {
    "no program": _(
        "We look for main.py, then bot.py, then for the only .py file, at the top of the archive. Rename your main "
        "file, or pack the files themselves and not the folders around them."
    ),
    "compile error": _(
        "Your program cannot be read as Python. The log names the file and the line; run it once on your own machine "
        "with Python 3.11."
    ),
    "crashed": _(
        "Your program ended by itself. The last lines of the log are usually the exception that ended it. Bots have "
        "Python's standard library only: no packages, no network, no files but those you upload and /tmp."
    ),
    "time": _(
        "Your program took too much CPU time. Answer sooner, and make sure that every answer ends with a line break "
        "and is flushed (print(..., flush=True)): an answer that stays in the buffer looks like no answer."
    ),
    "memory": _("Your program needed more memory than a bot may use. Keep fewer positions, or smaller tables."),
    "output": _(
        "Your program wrote too much, or something that is no text, where its answer was expected. Print only answers "
        "to standard output; print what you want to see for yourself to standard error."
    ),
    "illegal answer": _(
        "Your program answered something that is no order of this game. Compare the last output with the protocol on "
        "the game's page; a forgotten debugging print is the usual reason."
    ),
    "security": _(
        "Your program called a function of the system that no bot needs, for instance to open a socket or to start "
        "another program. Leave it out."
    ),
}
_BY_STEP: dict[str, Promise] = {
    "fetch": _("We could not read your upload. Please upload it once more."),
    "unpack": _("We could not unpack your upload. Please pack it again with an ordinary tool."),
    "compile": _("Your program could not be made ready to run. The log says what the tools said."),
    "check": _("Your program could not finish a match. Try it against itself on your own machine first."),
}


def advice_for(*, verdict: str, step: str) -> str:
    """Return what to do about a rejection, or an empty string when there is nothing to say.

    Args:
        verdict: why it was rejected (``BotVersion.verdict``).
        step: where it was rejected (``BotVersion.step``).
    """
    return str(_BY_VERDICT.get(verdict) or _BY_STEP.get(step) or "")
