"""JavaScript: Node runs the entry point as it stands."""

from __future__ import annotations

from sandbox.api import Limits
from sandbox.languages.language import Language, heap_mib

NODE = "/usr/bin/node"


def _build(entry: str) -> tuple[str, ...]:
    return (NODE, "--check", entry)


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    return (NODE, f"--max-old-space-size={heap_mib(limits)}", "--v8-pool-size=1", entry)


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
