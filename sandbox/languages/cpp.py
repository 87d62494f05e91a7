"""C++: all sources at the top are compiled by g++ into one program, or by the Makefile that lies with them."""

from __future__ import annotations

from sandbox.languages.c import MAKE_OR
from sandbox.languages.language import Language, compile_in_out, compiled_program

COMPILER = """set --
    for source in ./*.cpp ./*.cc; do if [ -f "$source" ]; then set -- "$@" "$source"; fi; done
    g++ -std=gnu++20 -O2 -pthread -o bot "$@\""""


def _build(entry: str) -> tuple[str, ...]:
    return compile_in_out(MAKE_OR.format(compiler=COMPILER), entry)


LANGUAGE = Language(
    name="cpp",
    title="C++",
    packages=("g++", "make"),
    entries=("main.cpp", "bot.cpp", "main.cc", "bot.cc"),
    suffixes=(".cpp", ".cc"),
    build=_build,
    compiled=True,
    command=compiled_program,
    version=("/usr/bin/g++", "--version"),
    selftest={
        "main.cpp": """#include <iostream>
int main() {
    for (long n; std::cin >> n;) std::cout << n + 1 << std::endl;
}
"""
    },
)
