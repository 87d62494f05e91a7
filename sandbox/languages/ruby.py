"""Ruby: the interpreter runs the entry point."""

from __future__ import annotations

from sandbox.api import Limits
from sandbox.languages.language import Language, shell

INTERPRETER = "/usr/bin/ruby"
CHECK = "find . -name '*.rb' -print0 | xargs --null --max-args=1 ruby -c > /dev/null"


def _build(entry: str) -> tuple[str, ...]:
    return shell(CHECK)


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    return (INTERPRETER, entry)


LANGUAGE = Language(
    name="ruby",
    title="Ruby",
    packages=("ruby",),
    entries=("main.rb", "bot.rb"),
    suffixes=(".rb",),
    build=_build,
    compiled=False,
    command=_command,
    version=(INTERPRETER, "--version"),
    selftest={"main.rb": "$stdout.sync = true\nwhile line = gets\n  puts line.to_i + 1\nend\n"},
)
