"""TypeScript: tsc compiles the entry point and the modules that it imports to JavaScript, which Node runs."""

from __future__ import annotations

import json
from functools import partial

from sandbox.api import Limits
from sandbox.languages.javascript import node_command
from sandbox.languages.language import Language, compile_in_out

MODULES = """
assert buffer child_process crypto events fs fs/promises os path perf_hooks process readline stream string_decoder
timers url util v8 vm worker_threads zlib node:*
"""
GLOBALS = "Buffer console exports global module performance process require"
TIMERS = "clearInterval clearTimeout setImmediate setInterval setTimeout queueMicrotask"
OF_NODE = "\n".join(
    [
        "declare function readline(): string;",
        *(f"declare function {name}(...data: any[]): void;" for name in ("print", "printErr")),
        *(f"declare function {name}(...data: any[]): any;" for name in TIMERS.split()),
        *(f"declare var {name}: any;" for name in GLOBALS.split()),
        *(f"declare var {name}: string;" for name in ("__dirname", "__filename")),
        *(f'declare module "{name}";' for name in MODULES.split()),
    ]
)
"""Declares what Node offers, since Debian has no package with its types, and CodinGame's functions."""
OPTIONS = {
    "target": "es2022",
    "lib": ["es2022"],
    "module": "commonjs",
    "moduleResolution": "node",
    "esModuleInterop": True,
    "experimentalDecorators": True,
    "resolveJsonModule": True,
    "allowJs": True,
    "skipLibCheck": True,
    "inlineSourceMap": True,
    "sourceRoot": "/bot",
    "types": [],
    "rootDir": "/out",
    "outDir": "/tmp/made",  # noqa: S108 - the sandbox's own /tmp
}
CONFIGURATION = json.dumps({"compilerOptions": OPTIONS, "files": ["node.d.ts", "/out/ENTRY"]})
CONFIGURATION = CONFIGURATION.replace("ENTRY", "'\"$entry\"'")  # the shell puts it in
TSC = f"""entry=$(printf '%s' "$1" | sed 's/[\\\\"]/\\\\&/g')
printf '%s' '{OF_NODE}' >/tmp/node.d.ts
printf '%s' '{CONFIGURATION}' >/tmp/tsconfig.json
NODE_OPTIONS=--max-old-space-size=640 tsc -p /tmp/tsconfig.json >/tmp/log || true
cat /tmp/log
! grep 'error TS' /tmp/log | grep -qvE 'error TS[27][0-9]{{3}}:' || exit 1
! grep -q "error TS2307: Cannot find module '[.]" /tmp/log || exit 1
rm -f package.json
cp -r /tmp/made/. ."""
"""The build script. Errors of types are in the log and keep no program from playing: they depend on the version and the
settings of the compiler, and on declarations of libraries that are not here. The bundle's ``tsconfig.json`` is not
read, and its ``package.json`` is removed, since both may ask for another form of modules."""


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    return node_command(f"{entry.removesuffix('.ts')}.js", limits, "--enable-source-maps")


LANGUAGE = Language(
    name="typescript",
    packages=("node-typescript", "nodejs"),
    entries=("main.ts", "bot.ts", "index.ts", "src/main.ts", "src/index.ts"),
    skipped=("/node_modules/", ".d.ts"),
    build=partial(compile_in_out, TSC),
    compiled=True,
    makes=".js",
    command=_command,
    version=("/usr/bin/tsc", "--version"),
    selftest={
        "main.ts": """import { createInterface } from "readline";
createInterface({ input: process.stdin }).on("line", (line: string) => console.log(Number(line) + 1));
"""
    },
)
