"""C: all sources at the top are compiled by gcc into one program, or by the Makefile that lies with them."""

from __future__ import annotations

from sandbox.languages.language import Language, compile_in_out, compiled_program

MAKE_OR = """if [ -f Makefile ]; then
    make
    [ -x bot ] || {{ echo 'The Makefile has not made a program named "bot".' >&2; exit 1; }}
else
    {compiler}
fi"""
"""Shared with C++: a Makefile makes the program ``bot``."""


def _build(entry: str) -> tuple[str, ...]:
    return compile_in_out(MAKE_OR.format(compiler="gcc -std=gnu17 -O2 -pthread -o bot ./*.c -lm"), entry)


LANGUAGE = Language(
    name="c",
    title="C",
    packages=("gcc", "libc6-dev", "make"),
    entries=("main.c", "bot.c"),
    suffixes=(".c",),
    build=_build,
    compiled=True,
    command=compiled_program,
    version=("/usr/bin/gcc", "--version"),
    selftest={
        "main.c": """#include <stdio.h>
int main(void) {
    long n;
    while (scanf("%ld", &n) == 1) { printf("%ld\\n", n + 1); fflush(stdout); }
}
"""
    },
)
