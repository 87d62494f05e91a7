"""Ruby: the interpreter runs the entry point."""

from __future__ import annotations

from sandbox.languages.language import Language, shell

INTERPRETER = "/usr/bin/ruby"
CHECK = "find . -name '*.rb' -print0 | xargs --null --max-args=1 ruby -c > /dev/null"


LANGUAGE = Language(
    name="ruby",
    packages=("ruby",),
    entries=("main.rb", "bot.rb"),
    build=lambda entry: shell(CHECK),
    compiled=False,
    command=lambda entry, limits: (INTERPRETER, entry),
    version=(INTERPRETER, "--version"),
    selftest={"main.rb": "$stdout.sync = true\nwhile line = gets\n  puts line.to_i + 1\nend\n"},
)
