"""C#: Mono's mcs compiles all sources in the folder of the entry point and below it; Mono runs the program."""

from __future__ import annotations

import re
from functools import partial

from sandbox.api import Limits
from sandbox.languages.language import MADE, Language, compile_in_out, heap_mib

BEGINS = re.compile(
    r"^(?![ \t]*(?://|/?\*)).*\bstatic[ \t]+(?:unsafe[ \t]+|async[ \t]+)?(?:void|int|Task(?:<int>)?)[ \t]+Main[ \t]*\(",
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


def _command(entry: str, limits: Limits) -> tuple[str, ...]:
    # By default, a second thread collects garbage beside the program, and its time would be charged to the bot. The
    # limit of the heap is soft, since Mono prints to standard output, like an answer, that a hard one is reached.
    collector = f"MONO_GC_PARAMS=major=marksweep,soft-heap-limit={heap_mib(limits)}m"
    return ("/usr/bin/env", collector, "mono", "--debug", "/bot/bot.exe")


LANGUAGE = Language(
    name="csharp",
    title="C# (Mono)",
    packages=(
        *("mono-mcs", "mono-runtime", "libmono-system-numerics-vectors4.0-cil"),
        "libmono-system-runtime-serialization4.0-cil",
    ),
    entries=(
        *("Main.cs", "main.cs", "Program.cs", "Player.cs", "Bot.cs", "bot.cs"),
        *("src/Main.cs", "src/Program.cs", "src/Player.cs"),
    ),
    suffixes=(".cs",),
    begins=BEGINS,
    skipped=("/bin/", "/obj/"),
    build=partial(compile_in_out, MCS),
    compiled=True,
    joined=True,
    command=_command,
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
