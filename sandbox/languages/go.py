"""Go: the package of the entry point is compiled, with the go.mod beside it if there is one; no other modules."""

from __future__ import annotations

from functools import partial

from sandbox.api import Limits
from sandbox.languages.language import MADE, PUT, Language, compile_in_out, compiled_program

GO_BUILD = f"""export GOCACHE=/tmp/cache GOPATH=/tmp/go GOPROXY=off GOTOOLCHAIN=local
cd "$(dirname "./$1")"
if [ -f go.mod ]; then
    sed -E 's/^go ([0-9]+[.][0-9]+)[.][0-9]+/go \\1/; /^toolchain /d' go.mod >/tmp/go.mod
    cat /tmp/go.mod >go.mod
    go build -o {MADE} .
else
    go build -o {MADE} ./*.go
fi
cd /out
{PUT}"""
"""The build script. Since version 1.21 Go writes a version of three numbers and a toolchain into each new go.mod, which
older versions refuse to read, so both are removed. If a program needs a newer version, the compiler says so."""


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    # Without a limit Go's garbage collector waits until garbage has doubled the memory of the program.
    return ("/usr/bin/env", f"GOMEMLIMIT={limits.memory_mib * 7 // 8}MiB", *compiled_program(entry, limits))


LANGUAGE = Language(
    name="go",
    packages=("golang-go",),
    entries=("main.go", "bot.go"),
    build=partial(compile_in_out, GO_BUILD),
    compiled=True,
    command=_command,
    version=("/usr/bin/go", "version"),
    selftest={
        "main.go": """package main

import "fmt"

func main() {
	var n int
	for {
		if _, err := fmt.Scan(&n); err != nil {
			return
		}
		fmt.Println(n + 1)
	}
}
"""
    },
)
