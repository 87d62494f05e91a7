"""The languages of bots are recognised by what a program holds, in time linear in its length."""

from __future__ import annotations

import pytest

from core.languages import BOT_LANGUAGES, SOURCE_SUFFIXES, language_of
from core.text import HEADING_CHARS_MAX, ending

PROGRAMS = {
    "python": ["import sys\nwhile True:\n    x = input()\n", "def f(n):  # more\n    return n\n", "print(1)"],
    "c": ["#include <stdio.h>\nint main(void) { return 0; }\n", '# include "bot.h"\nint main() {}\n'],
    "cpp": ["#include <iostream>\nint main() {}\n", "#include <bits/stdc++.h>\n", "int main() { std::exit(0); }"],
    "csharp": ["using System;\nclass Player { }\n", "class A { void F() { Console.ReadLine(); } }"],
    "java": ["import java.util.*;\n", "class Player {\n  public static void main(String[] args) {}\n}\n"],
    "kotlin": ["fun main() {\n    println(readLine())\n}\n", "fun main(args : Array<String>) {}"],
    "javascript": ["const n = Number(readline());\n", "require('fs')\n", "process.stdin.on('data', () => {})"],
    "typescript": ["const n: number = Number(readline());\n", "interface Cell {}\n", "let a = (b: string) => b"],
    "rust": ["use std::io;\nfn main() {}\n"],
    "go": ["package main\n\nfunc main() {}\n"],
    "php": ["<?php\nfscanf(STDIN, '%d', $n);\n"],
    "ruby": ["n = gets.to_i\n", "$stdout.sync = true\n", "STDIN.each_line { }"],
}


def test_each_language_has_programs_here() -> None:
    assert PROGRAMS.keys() == BOT_LANGUAGES.keys()


@pytest.mark.parametrize(
    ("program", "name"), [(program, name) for name, programs in PROGRAMS.items() for program in programs]
)
def test_a_program_is_recognised(program: str, name: str) -> None:
    assert language_of(program) == name
    assert language_of(program.replace("\n", "\r\n")) in (name, ""), "line ends of Windows make no other language"


@pytest.mark.parametrize("text", ["", "hello", "12 34\n", "<html></html>", "# a comment alone\n"])
def test_what_is_no_program_has_no_language(text: str) -> None:
    assert language_of(text) == ""


def test_no_suffix_belongs_to_two_languages() -> None:
    assert (
        len(set(SOURCE_SUFFIXES)) == len(SOURCE_SUFFIXES) == sum(len(each.suffixes) for each in BOT_LANGUAGES.values())
    )
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in SOURCE_SUFFIXES)


@pytest.mark.parametrize("filler", ["\n", " \n", "\t", "a ", "# "])
def test_no_pattern_matches_over_lines(filler: str) -> None:
    """The attack: a form full of empty lines takes time in the square of their number."""
    assert language_of(filler * 200_000) == ""


def test_a_heading_of_a_stack_trace_is_cut() -> None:
    text = "E" * 3_000 + "\n" + "\tat f\n" * 9
    assert ending(text, len(text) - 8) == f"{'E' * HEADING_CHARS_MAX}\n[...]\n{text[-8:]}"
