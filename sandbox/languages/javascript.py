"""JavaScript: Node runs the entry point as it stands."""

from __future__ import annotations

from sandbox.languages.language import Language

NODE = "/usr/bin/node"
# V8 sizes its heap by the machine's memory; it must stay below the limit of the bot.
FLAGS = ("--max-old-space-size=160", "--v8-pool-size=1")


def _build(entry: str) -> tuple[str, ...]:
    return (NODE, "--check", entry)


def _command(entry: str) -> tuple[str, ...]:
    return (NODE, *FLAGS, entry)


LANGUAGE = Language(
    name="javascript",
    title="JavaScript (Node)",
    packages=("nodejs",),
    entries=("main.js", "bot.js", "index.js", "main.mjs", "bot.mjs"),
    suffixes=(".js", ".mjs"),
    build=_build,
    compiled=False,
    command=_command,
    version=(NODE, "--version"),
    selftest={
        "main.js": """require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    console.log(Number(line) + 1);
});
"""
    },
)
