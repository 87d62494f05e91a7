"""Rust: rustc compiles the entry point and the modules that it names; without crates."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from core.message import Message
from sandbox.languages.language import MADE, PUT, Language, compile_in_out, compiled_program

RUSTC = f"""rustc --edition 2021 -C opt-level=3 --crate-name bot -o {MADE} "$1"
{PUT}"""

CRATES = "std, core, alloc"
NO_CRATE = re.compile(
    r"(?:unresolved import|undeclared crate or module|unresolved module or unlinked crate|can't find crate for) `(\w+)`"
)
"""Matches the errors of compilers about a name that is neither a module nor a crate."""


def _explain(root: Path, output: str) -> Message | None:
    names = dict.fromkeys(NO_CRATE.findall(output))
    return Message("build-no-crate", {"names": ", ".join(names), "crates": CRATES}) if names else None


LANGUAGE = Language(
    name="rust",
    packages=("rustc-web",),
    entries=("main.rs", "bot.rs", "src/main.rs"),
    build=partial(compile_in_out, RUSTC),
    compiled=True,
    explain=_explain,
    command=compiled_program,
    version=("/usr/bin/rustc", "--version"),
    selftest={
        "main.rs": """use std::io::BufRead;
fn main() {
    for line in std::io::stdin().lock().lines() {
        println!("{}", line.unwrap().trim().parse::<i64>().unwrap() + 1);
    }
}
"""
    },
)
