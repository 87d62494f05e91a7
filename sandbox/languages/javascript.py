"""JavaScript: Node runs the entry point, with CodinGame's functions if the entry point calls them."""

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
"""A module that defines the functions which CodinGame adds to JavaScript: ``readline()``, and ``print`` and
``printErr`` of its first years. Two of our games come from there, and bots written for them run unchanged."""
START = r"""entry=$1 codingame=$2
shift 2
! grep -qE '(^|[^.[:alnum:]_$])readline *\(' "$entry" || set -- "$@" --import "$codingame"
exec node "$@" "$entry"
"""
"""The start script. It loads the module, which takes Node 5 ms, only for programs that call ``readline``. The module is
passed as a data URL, since the sandbox holds no file of ours."""


def node_command(entry: str, limits: Limits, *options: str) -> tuple[str, ...]:
    """Return the command by which Node runs an entry point, with more options for Node."""
    sizes = (f"--max-old-space-size={heap_mib(limits)}", "--v8-pool-size=1")
    return shell(START, entry, f"data:text/javascript,{quote(CODINGAME)}", *sizes, *options)


LANGUAGE = Language(
    name="javascript",
    packages=("nodejs",),
    entries=("main.js", "bot.js", "index.js", "main.mjs", "bot.mjs"),
    skipped=("/node_modules/",),
    build=lambda entry: (NODE, "--check", entry),
    compiled=False,
    command=node_command,
    version=(NODE, "--version"),
    selftest={
        "main.js": """require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
    console.log(Number(line) + 1);
});
"""
    },
)
