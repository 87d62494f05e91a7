"""C++: g++ compiles all sources in the entry point's folder into one program, unless the bundle has a Makefile."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sandbox.languages import c
from sandbox.languages.language import MADE, PUT, compile_in_out

COMPILER = f"""{c.BY_LINES}
    set -- "$(dirname "./$1")"
    for source in "$1"/*.cpp "$1"/*.cc "$1"/*.cxx; do if [ -f "$source" ]; then set -- "$@" "$source"; fi; done
    shift
    g++ -std=gnu++20 -O2 -pthread -o {MADE} "$@" {c.LINES}
    {PUT}"""


LANGUAGE = replace(
    c.LANGUAGE,
    name="cpp",
    packages=("g++", "make"),
    entries=(
        *("main.cpp", "bot.cpp", "main.cc", "bot.cc", "main.cxx", "bot.cxx"),
        *("src/main.cpp", "src/main.cc", "src/main.cxx"),
    ),
    build=partial(compile_in_out, c.MAKE_OR.format(compiler=COMPILER)),
    version=("/usr/bin/g++", "--version"),
    selftest={
        "main.cpp": """#include <iostream>
int main() {
    std::cin.tie(nullptr);
    for (long n; std::cin >> n;) std::cout << n + 1 << "\\n";
}
"""
    },
)
