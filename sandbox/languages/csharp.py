"""C#: Mono's mcs compiles all sources in the folder of the entry point and below it; Mono runs the program."""

from __future__ import annotations

import re
from functools import partial
from pathlib import Path

from core.message import Message
from sandbox.api import Limits
from sandbox.languages.language import MADE, Language, compile_in_out, heap_mib

BEGINS = re.compile(
    r"^(?![ \t]*(?://|/?\*)).*\bstatic[ \t]+(?:(?:unsafe|async|public)[ \t]+)?"
    r"(?:void|int|Task(?:<int>)?)[ \t]+Main[ \t]*\(",
    re.MULTILINE,
)
"""A main function that is not commented out."""
LIBRARIES = ("Core", "Numerics", "Numerics.Vectors", "Runtime.Serialization", "Xml")
OPTIONS = "-optimize+ -unsafe+ -debug -pathmap:/out=. -warn:1 " + " ".join(
    f"-r:System.{name}.dll" for name in LIBRARIES
)
MCS = f"""find "$(dirname "./$1")" '(' -name bin -o -name obj ')' -prune -o -name '*.cs' -exec \\
    mcs {OPTIONS} -out:{MADE}.exe '{{}}' +
rm -rf bot.exe bot.exe.mdb
cp {MADE}.exe bot.exe
cp {MADE}.exe.mdb bot.exe.mdb"""
"""The build script. It leaves out the folders in which Visual Studio and ``dotnet`` keep what they generate. The second
file holds line numbers for stack traces."""


VERSION = "C# 7.2"
"""The newest version of the language that Mono's compiler knows."""
NEWER = {
    "record": re.compile(r"\brecord\s+\w"),
    "switch { }": re.compile(r"[\w)\]]\s+switch\b"),
    "new()": re.compile(r"\bnew\s*\("),
    "^1": re.compile(r"[\[.(,]\s*\^"),
    "1..2": re.compile(r"\.\."),
    "namespace N;": re.compile(r"\bnamespace\s+[\w.]+\s*;"),
    "using var": re.compile(r"\busing\s+\w+\s+\w+\s*="),
    "global using": re.compile(r"\bglobal\s+using\b"),
    "is not": re.compile(r"\bis\s+(?:not\b|[<>])"),
    "??=": re.compile(r"\?\?="),
    "init": re.compile(r"\binit\s*;"),
    "required": re.compile(r"\brequired\s+\w"),
    "[1, 2]": re.compile(r"=\s*\["),
    "#nullable": re.compile(r"#nullable"),
    '"""': re.compile(r'"""'),
}
"""What newer versions of the language have, each with what a line looks like that uses it."""
ERROR = re.compile(r"^(?:\./)?(.{1,300})\((\d{1,7}),\d+\): error CS", re.MULTILINE)
QUOTED = re.compile(r'"[^"]*"|//.*')
"""Strings and comments, in which such signs mean nothing."""
ERRORS_MAX = 20
LINE_CHARS_MAX = 500


def _explain(root: Path, output: str) -> Message | None:
    """Tell that a program is written in a newer C#, if the lines with errors show it or no Main function is there."""
    sources = {name: (root / name).read_text("utf-8", "replace") for name in LANGUAGE.sources(root)}
    if not any(re.search(r"\bMain\s{0,9}\(", text) for text in sources.values()):
        return Message("build-newer-statements", {"version": VERSION})
    found = set()
    for name, line in ERROR.findall(output)[:ERRORS_MAX]:
        lines = sources.get(name, "").splitlines()[int(line) - 1 : int(line)]
        texts = (text[:LINE_CHARS_MAX] for text in lines)
        code = [text if '"""' in text else QUOTED.sub('""', text) for text in texts]
        found |= {word for text in code for word, form in NEWER.items() if form.search(text)}
    features = ", ".join(word for word in NEWER if word in found)
    return Message("build-newer-language", {"version": VERSION, "features": features}) if found else None


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    # By default, a second thread collects garbage beside the program, and its time would be charged to the bot. The
    # limit of the heap is soft, since Mono prints to standard output, like an answer, that a hard one is reached.
    collector = f"MONO_GC_PARAMS=major=marksweep,soft-heap-limit={heap_mib(limits)}m"
    return ("/usr/bin/env", collector, "mono", "--debug", "/bot/bot.exe")


LANGUAGE = Language(
    name="csharp",
    packages=(
        *("mono-mcs", "mono-runtime", "libmono-system-numerics-vectors4.0-cil"),
        "libmono-system-runtime-serialization4.0-cil",
    ),
    entries=(
        *("Main.cs", "main.cs", "Program.cs", "Player.cs", "Bot.cs", "bot.cs"),
        *("src/Main.cs", "src/Program.cs", "src/Player.cs"),
    ),
    begins=BEGINS,
    skipped=("/bin/", "/obj/"),
    build=partial(compile_in_out, MCS),
    compiled=True,
    joined=True,
    command=_command,
    explain=_explain,
    version=("/usr/bin/mcs", "--version"),
    selftest={
        "Main.cs": """using System;
class Player {
    static void Main() {
        for (string line; (line = Console.ReadLine()) != null;) Console.WriteLine(long.Parse(line) + 1);
    }
}
"""
    },
)
