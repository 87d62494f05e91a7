"""JavaScript: Node runs the entry point as it stands, with CodinGame's functions if it calls them."""

from __future__ import annotations

from urllib.parse import quote

from sandbox.api import Limits
from sandbox.languages.language import Language, heap_mib, shell

NODE = "/usr/bin/node"

CODINGAME = """
import { readSync } from "node:fs";
const chunk = Buffer.alloc(65536);
let text = "";
function readline() {
  let end;
  while ((end = text.indexOf("\\n")) < 0) {
    const size = readSync(0, chunk);
    if (!size) return null;
    text += chunk.toString("latin1", 0, size);
  }
  const line = text.slice(0, end);
  text = text.slice(end + 1);
  return line;
}
Object.assign(globalThis, { readline, print: console.log, printErr: console.error });
"""
"""Defines what that site gives to JavaScript and Node does not have: its bots call ``readline()``, those of its first
years ``print`` and ``printErr`` as well. Two of our games are its own; what was written for them plays unchanged."""
START = r"""entry=$1 codingame=$2
shift 2
! grep -qE '(^|[^.[:alnum:]_$])readline *\(' "$entry" || set -- "$@" --import "$codingame"
exec node "$@" "$entry"
"""
"""Others are spared the module, which takes Node 5 ms; it comes as an address, for there is no file of ours inside."""


def _build(entry: str) -> tuple[str, ...]:
    return (NODE, "--check", entry)


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    options = (f"--max-old-space-size={heap_mib(limits)}", "--v8-pool-size=1")
    return shell(START, entry, f"data:text/javascript,{quote(CODINGAME)}", *options)


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
