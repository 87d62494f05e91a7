"""Rust: rustc compiles the entry point and the modules that it names; without crates."""

from __future__ import annotations

from functools import partial

from sandbox.languages.language import MADE, PUT, Language, compile_in_out, compiled_program

RUSTC = f"""rustc --edition 2021 -C opt-level=3 --crate-name bot -o {MADE} "$1"
{PUT}"""

LANGUAGE = Language(
    name="rust",
    title="Rust",
    packages=("rustc-web",),
    entries=("main.rs", "bot.rs", "src/main.rs"),
    suffixes=(".rs",),
    build=partial(compile_in_out, RUSTC),
    compiled=True,
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
