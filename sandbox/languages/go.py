"""Go: the package at the top is compiled, with its go.mod if it has one; the standard library only."""

from __future__ import annotations

from sandbox.languages.language import Language, compile_in_out, compiled_program

GO_BUILD = """export GOCACHE=/tmp/cache GOPATH=/tmp/go GOPROXY=off
if [ -f go.mod ]; then go build -o bot .; else go build -o bot ./*.go; fi"""


def _build(entry: str) -> tuple[str, ...]:
    return compile_in_out(GO_BUILD, entry)


LANGUAGE = Language(
    name="go",
    title="Go",
    packages=("golang-go",),
    entries=("main.go", "bot.go"),
    suffixes=(".go",),
    build=_build,
    compiled=True,
    command=compiled_program,
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
