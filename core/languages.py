"""The languages of bots, for the site, which looks at files, and for sandboxes, which build and run programs.

A further language is an entry of ``BOT_LANGUAGES`` and ``_BY_SOURCE``, and a module in ``sandbox/languages/``.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class BotLanguage(NamedTuple):
    """What is known of a language without running anything."""

    title: str
    """The name that people read."""
    suffixes: tuple[str, ...]
    """Endings of source files. The only such file at the top of a bundle is an entry point under any name."""
    source: re.Pattern[str]
    """Recognises a program that comes without a name.

    The attack: a form full of empty lines. A pattern that matches over several lines would take time in the square of
    their number, so each pattern stays within one line.
    """


BOT_LANGUAGES = {
    "python": BotLanguage(
        "Python 3",
        (".py",),
        re.compile(
            r"(?m)^[ \t]*(def|while|for|if)[ \t].*:[ \t]*(#.*)?$"
            r"|^(import[ \t][\w., ]+|from[ \t][\w.]+[ \t]import\b.*)$|\bprint\("
        ),
    ),
    "c": BotLanguage("C", (".c",), re.compile(r"(?m)^[ \t]*#[ \t]*include\b")),
    "cpp": BotLanguage(
        "C++", (".cpp", ".cc", ".cxx"), re.compile(r"(?m)^[ \t]*#[ \t]*include[ \t]*<(\w+|bits/stdc\+\+\.h)>|\bstd::")
    ),
    "csharp": BotLanguage("C# (Mono)", (".cs",), re.compile(r"(?m)^[ \t]*using[ \t]+System\b|\bConsole\.(Read|Write)")),
    "java": BotLanguage("Java", (".java",), re.compile(r"(?m)\bstatic[ \t]+void[ \t]+main\b|^import[ \t]+java[.x]")),
    "kotlin": BotLanguage("Kotlin", (".kt",), re.compile(r"(?m)\bfun[ \t]+main[ \t]*\(")),
    "javascript": BotLanguage(
        "JavaScript (Node)",
        (".js", ".mjs"),
        re.compile(r"(?m)\bconsole\.|(?<![.\w])readline\(\)|^[ \t]*(const|let|var)\b|\brequire\(|\bprocess\.stdin\b"),
    ),
    "typescript": BotLanguage(
        "TypeScript",
        (".ts",),
        re.compile(
            r"(?m)[\w)\]?][ \t]*:[ \t]*(string|number|boolean|any|void)\b"
            r"|^[ \t]*(export[ \t]+)?(interface|enum)[ \t]"
        ),
    ),
    "rust": BotLanguage("Rust", (".rs",), re.compile(r"(?m)\bfn[ \t]+main[ \t]*\(")),
    "go": BotLanguage("Go", (".go",), re.compile(r"(?m)^package[ \t]+main\b")),
    "php": BotLanguage("PHP", (".php",), re.compile(r"(?m)^<\?php\b")),
    "ruby": BotLanguage("Ruby", (".rb",), re.compile(r"(?m)\b(gets|puts)\b|\$std(in|out)\b|\bSTDIN\b")),
}
"""The languages by name, in the order in which they are shown. A name never changes: each stored version of a bot holds
the name of its language."""
_BY_SOURCE = ("php", "kotlin", "rust", "go", "csharp", "java", "cpp", "c", "typescript", "javascript", "python", "ruby")
"""The order in which the patterns of languages are tried: the surest come first."""
SOURCE_SUFFIXES = tuple(suffix for each in BOT_LANGUAGES.values() for suffix in each.suffixes)
"""Endings of single source files that may be uploaded without an archive."""


def language_of(program: str) -> str:
    """Return the name of the language that a program seems to be written in; empty if none is recognised."""
    return next((name for name in _BY_SOURCE if BOT_LANGUAGES[name].source.search(program)), "")
