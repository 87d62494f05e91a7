"""What authors are told of a program in an older or newer language, or with libraries that are not here."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.message import Message
from sandbox import languages
from sandbox.api import Limits, Program, Sandbox
from tests.sandbox.building import build, pack
from tests.sandbox.programs import fault_of
from tests.words import english


@pytest.mark.parametrize(
    "text",
    [
        "print 'hi'",
        "try: pass\nexcept A, e: pass",
        "print(raw_input())",
        "for n in xrange(9): print(n)",
        "import Queue",
    ],
)
def test_python_2_is_recognised(backend: Sandbox, tmp_path: Path, text: str) -> None:
    python3 = languages.language("python")
    source = pack(tmp_path / "source", {"main.py": text})
    result, _out = build(backend, python3, source, "main.py")
    reported = Message("build-older-language", {"older": "Python 2", "language": "Python 3"})
    if result.exit_code:
        assert python3.why_not_built(source, "main.py", result.output) == reported
    else:
        fault = fault_of(backend, Program(source, python3.command("main.py", Limits())))
        assert python3.is_older(fault.evidence.stderr) == reported


CSHARP_MAIN = "class P {{ static void Main() {{ int n = 1; int[] a = {{1}}; {} }} }}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('using System;\nConsole.WriteLine("7");\n', "no Main function"),
        ("record Point(int X, int Y);\n" + CSHARP_MAIN.format(""), "it uses record."),
        (CSHARP_MAIN.format("var m = n switch { 1 => 2, _ => 3 };"), "it uses switch { }."),
        (CSHARP_MAIN.format("System.Random r = new();"), "it uses new()."),
        (CSHARP_MAIN.format("n = a[^1];"), "it uses ^1."),
        ("namespace Bots;\n" + CSHARP_MAIN.format(""), "it uses namespace N;."),
        (CSHARP_MAIN.format('System.Console.WriteLine("Loading.. ^1" + x);'), ""),
        ('#line 1 "../../../etc/passwd"\n' + CSHARP_MAIN.format("n = x;"), ""),
    ],
)
def test_a_newer_csharp_is_told(backend: Sandbox, tmp_path: Path, text: str, said: str) -> None:
    csharp = languages.language("csharp")
    source = pack(tmp_path / "source", {"ai/Player.cs": text})
    result, _out = build(backend, csharp, source, "ai/Player.cs")
    why = english(csharp.why_not_built(source, "ai/Player.cs", result.output))
    assert (result.exit_code > 0, said in why, "C# 7.2" in why) == (True, True, bool(said)), result.output


@pytest.mark.parametrize("text", ["use rand::Rng;", "fn f() { rand::random(); }", "extern crate rand;"])
def test_a_missing_crate_of_rust_is_told_with_those_that_are_here(backend: Sandbox, tmp_path: Path, text: str) -> None:
    rust = languages.language("rust")
    source = pack(tmp_path / "source", {"main.rs": f"{text}\nfn main() {{}}\n"})
    result, _out = build(backend, rust, source, "main.rs")
    why = english(rust.why_not_built(source, "main.rs", result.output))
    assert "names rand," in why
    assert "std, core, alloc" in why
