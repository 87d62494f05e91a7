"""Finding, checking and starting programs of each language."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from core.message import Message
from ladder.words.advice import advice_for
from sandbox import languages
from sandbox.api import Limits, Program, Sandbox, TurnLimits, Verdict
from sandbox.languages import BUILD_CPU_MS, Language, NoProgram
from sandbox.languages.language import MAKEFILES
from sandbox.toolchains import toolchains, works
from tests.sandbox.building import build, installed, pack, write
from tests.sandbox.bundles import BUNDLES
from tests.sandbox.programs import answer_of, fault_of
from tests.words import english


@pytest.mark.parametrize("language", languages.ALL, ids=lambda language: language.name)
def test_each_language_builds_and_runs_its_own_program(backend: Sandbox, language: Language) -> None:
    installed(backend, language)
    assert works(backend, language)


def test_there_is_an_archive_in_each_language() -> None:
    assert {language.name for language in languages.ALL} == set(BUNDLES), "see tests/sandbox/bundles.py"


@pytest.mark.parametrize("named", [False, True], ids=["detected", "named"])
@pytest.mark.parametrize("name", BUNDLES)
def test_each_language_is_detected_in_a_bundle(tmp_path: Path, name: str, named: bool) -> None:
    pack(tmp_path, BUNDLES[name])
    if named:  # the author names the language, and other entry points lie beside
        for files in BUNDLES.values():
            pack(tmp_path, files)
        with pytest.raises(NoProgram, match="build-two-programs"):
            languages.detect(tmp_path)
    language, entry = languages.detect(tmp_path, name if named else None)
    assert (language.name, entry in BUNDLES[name]) == (name, True)


@pytest.mark.test_all
@pytest.mark.parametrize("name", BUNDLES)
def test_each_language_builds_an_archive(backend: Sandbox, tmp_path: Path, name: str) -> None:
    """The bundles have several files, with data or a build file."""
    language = languages.language(name)
    source = pack(write(tmp_path / "source", "weights.txt"), BUNDLES[name])
    entry = languages.detect(source)[1]
    result, root = build(backend, language, source, entry)
    assert result.exit_code == 0, result.output
    assert result.usage.cpu_ms < BUILD_CPU_MS / 10, "far from its limit"
    assert answer_of(backend, Program(root, language.command(entry, Limits())), "41") == "43"
    assert (root / "weights.txt").is_file(), "what is not compiled goes along"
    assert "sed:" not in result.output


@pytest.mark.test_all
@pytest.mark.parametrize(
    "name", ["python", "c", "cpp", "csharp", "kotlin", "javascript", "typescript", "rust", "php", "ruby"]
)
def test_the_only_source_file_may_be_named_like_an_option(backend: Sandbox, tmp_path: Path, name: str) -> None:
    language = languages.language(name)
    (text,) = language.selftest.values()
    source = pack(tmp_path / "source", {f"-bot{language.suffixes[0]}": text})
    found, entry = languages.detect(source)
    result, root = build(backend, language, source, entry)
    assert (found, result.exit_code) == (language, 0), result.output
    assert answer_of(backend, Program(root, language.command(entry, Limits())), "41") == "42"


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("name", "suffix", "folder"),
    [("c", ".c", "src"), ("cpp", ".cpp", "src"), ("cpp", ".cc", "."), ("cpp", ".cxx", ".")],
)
def test_sources_may_have_any_names(backend: Sandbox, tmp_path: Path, name: str, suffix: str, folder: str) -> None:
    """Names with spaces, names like an option of the compiler, and a folder named like the program."""
    main = '#include "bot/step.h"\nint step(void);\nint main(void) { return step(); }\n'
    sources = {"bot/step.h": "", f"my bot{suffix}": main, f"-v 'two'{suffix}": "int step(void) { return 0; }\n"}
    source = pack(tmp_path / "source", {f"{folder}/{path}": text for path, text in sources.items()})
    result, out = build(backend, languages.language(name), source, f"{folder}/my bot{suffix}")
    assert (result.exit_code, result.output) == (0, "")
    assert (out / "bot").is_file()


MAKEFILE = """
bot: main.o libh.a
\t$(CC) -o $@ main.o -L. -lh
main.o: tables.inc
\t$(CC) -c main.c
tables.inc:
\techo '#define N 42' >$@
libh.a: h.o
\tar rc $@ h.o
"""


@pytest.mark.test_all
@pytest.mark.parametrize("name", MAKEFILES)
def test_compiled_files_of_the_upload_are_built_again(backend: Sandbox, tmp_path: Path, name: str) -> None:
    """Uploads may hold files compiled from older sources or on another system, which make would take for up to date."""
    stale = {"bot": "of another system", "main.o": "no object", "libh.a": "no archive", "tables.inc": "#define N 7"}
    sources = {
        "main.c": '#include <stdio.h>\n#include "tables.inc"\nint h(void);\n'
        'int main(void) { getchar(); printf("%d\\n", N + h()); }\n',
        "h.c": "int h(void) { return 0; }\n",
    }
    source = pack(tmp_path / "source", {**sources, **stale, name: MAKEFILE})
    (source / "bot").chmod(0o755)
    result, out = build(backend, languages.language("c"), source, "main.c")
    assert result.exit_code == 0, result.output
    assert "Left out, to be made: ./libh.a" in result.output
    assert answer_of(backend, Program(out, ("/bot/bot",))) == "42"


OF_C = ("int step(void);\nint main(void) { return step(); }\n", "int step(void) { return 0; }\n")
OF_CSHARP = ("class Player { static void Main() { Side.Step(); } }\n", "class Side { public static void Step() {} }\n")
OF_KOTLIN = ("fun main() = turn()\nfun turn() = step()\n", "fun step() {}\n")


@pytest.mark.test_all
@pytest.mark.parametrize(("name", "texts"), [("c", OF_C), ("cpp", OF_C), ("csharp", OF_CSHARP), ("kotlin", OF_KOTLIN)])
def test_a_backup_beside_the_program_is_named(
    backend: Sandbox, tmp_path: Path, name: str, texts: tuple[str, str]
) -> None:
    language = languages.language(name)
    suffix = language.suffixes[0]
    program, step = texts
    files = {f"main{suffix}": program, f"main_old{suffix}": program, f"step{suffix}": step}
    source = pack(tmp_path / "source", files)
    result, _out = build(backend, language, source, f"main{suffix}")
    assert language.why_not_built(source, f"main{suffix}", result.output) == Message(
        "build-defined-twice", {"entry": f"main{suffix}", "names": f"main_old{suffix}"}
    )


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("text", "compiler", "words"),
    [
        ("int x = " + "(" * 20_000 + "1" + ")" * 20_000 + ";", "ulimit -Hs 8192; g++", "8 MiB unless it takes more"),
        ("int t[20'000'000] = {1};", "g++", "file larger than the 48 MiB"),
    ],
    ids=["stack", "file"],
)
def test_a_limit_that_the_compiler_meets_is_named(
    backend: Sandbox, tmp_path: Path, text: str, compiler: str, words: str
) -> None:
    cpp = languages.language("cpp")
    makefile = f"bot:\n\t{compiler} -o $@ main.cpp\n"
    source = pack(tmp_path / "source", {"main.cpp": f"{text}\nint main() {{}}\n", "Makefile": makefile})
    result, _out = build(backend, cpp, source, "main.cpp")
    assert result.exit_code != 0
    assert words in english(cpp.why_not_built(source, "main.cpp", result.output)), result.output


def test_an_error_of_the_program_is_left_to_the_compiler(backend: Sandbox, tmp_path: Path) -> None:
    cpp = languages.language("cpp")
    source = pack(tmp_path / "source", {"main.cpp": "int main() { return x; }\n", "b.cpp": ""})
    result, out = build(backend, cpp, source, "main.cpp")
    assert (result.exit_code, cpp.why_not_built(source, "main.cpp", result.output)) == (1, None)
    assert "main.cpp:1" in result.output
    assert list(out.iterdir()) == []


def test_java_sources_may_begin_with_a_byte_order_mark(backend: Sandbox, tmp_path: Path) -> None:
    main = "public static void main(String[] a) throws Exception { System.in.read(); System.out.println(B.N); }"
    sources = {"A": f"class A {{ {main} }}", "B": "class B { static int N = 42; }"}
    source = pack(tmp_path / "source", {f"me/{n}.java": f"\ufeffpackage me; {text}" for n, text in sources.items()})
    java = languages.language("java")
    entry = languages.detect(source)[1]
    result, out = build(backend, java, source, entry)
    assert result.exit_code == 0, result.output
    assert answer_of(backend, Program(out, java.command(entry, Limits()))) == "42"


def java(backend: Sandbox, folder: Path, body: str) -> Program:
    """Build a Java program with this body of the main function, which may call f, an endless recursion.

    The file has another name than the class, and the class belongs to a package, as many editors write it.
    """
    main = f"public static void main(String[] words) throws Exception {{ System.in.read(); {body} }}"
    endless = "static int f(int n) { return f(n + 1) + 1; }"
    text = f"package com.me; class Board {{}} class Main {{ {endless} {main} }}"
    language = languages.language("java")
    result, out = build(backend, language, pack(folder / "source", {"my bot.java": text}), "my bot.java")
    assert result.exit_code == 0, result.output
    return Program(out, language.command("my bot.java", Limits()))


def test_javascript_of_codingame_plays_as_it_stands(backend: Sandbox, tmp_path: Path) -> None:
    """Such bots run an endless loop, and use functions for input and output that Node does not have."""
    language = languages.language("javascript")
    installed(backend, language)
    source = "while (true) { const n = parseInt(readline()); printErr('é ' + n); print(n + 1); }"
    (tmp_path / "player.js").write_text(source)
    with backend.start(Program(tmp_path, language.command("player.js", Limits())), Limits()) as process:
        answers = [process.ask([str(n)], TurnLimits(cpu_ms=1_000)) for n in (7, 41)]
    assert [answer.lines for answer in answers] == [("8",), ("42",)]
    assert answers[1].stderr == "é 41\n"


@pytest.mark.test_all
def test_endless_recursion_in_java_ends_with_a_stack_trace(backend: Sandbox, tmp_path: Path) -> None:
    fault = fault_of(backend, java(backend, tmp_path, "System.out.println(f(0));"), TurnLimits(cpu_ms=5_000))
    assert fault.verdict == Verdict.CRASHED
    assert "StackOverflowError" in fault.evidence.stderr
    assert "com.me.Main.f(my bot.java:1)" in fault.evidence.stderr


@pytest.mark.test_all
@pytest.mark.parametrize("name", ["java", "javascript"])
def test_a_full_heap_prints_the_error_that_the_docs_quote(backend: Sandbox, tmp_path: Path, name: str) -> None:
    if name == "java":
        program = java(backend, tmp_path, 'String all = words.length + "x"; while (true) all += all;')
    else:
        language = languages.language(name)
        installed(backend, language)
        (tmp_path / "main.js").write_text(
            "const all = []; for (;;) all.push(new Array(999_999).fill(all.length + 0.5))"
        )
        program = Program(tmp_path, language.command("main.js", Limits()))
    fault = fault_of(backend, program, TurnLimits(cpu_ms=5_000))
    said = "OutOfMemoryError" if name == "java" else "heap out of memory"
    assert fault.verdict == Verdict.CRASHED
    assert said in fault.evidence.stderr
    assert said in advice_for(verdict=fault.verdict, step="", language=name)


CSHARP = """using System;
using System.Runtime.InteropServices;
using System.Threading;
class Board { public int[] Cells; }
static class Player {
    [DllImport("libc")] static extern long syscall(long number);
    static void Main() {
        Console.ReadLine();
        BODY
    }
}
"""
PHP = "<?php\nfgets(STDIN);\nBODY\n"
TYPESCRIPT = """interface Board {
    cells: number[];
}
const line: number = readline();
BODY
"""
KOTLIN = "fun main() {\n    readLine()\n    BODY\n}\n"


def in_language(backend: Sandbox, folder: Path, name: str, body: str) -> Program:
    """Build a program that reads a line and then does what ``body`` says."""
    language = languages.language(name)
    frame = {"csharp": CSHARP, "php": PHP, "typescript": TYPESCRIPT, "kotlin": KOTLIN}[name]
    entry = language.entries[0]
    result, root = build(backend, language, pack(folder / "source", {entry: frame.replace("BODY", body)}), entry)
    assert result.exit_code == 0, result.output
    return Program(root, language.command(entry, Limits()))


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("name", "body", "said"),
    [
        ("csharp", "Board board = null; Console.WriteLine(board.Cells[0]);", "in ./Main.cs:9"),
        ("kotlin", "val board: List<Int>? = null; println(board!![0])", "at MainKt.main(Main.kt:3)"),
        ("php", "echo intdiv(1, 0);", "/bot/main.php:3"),
        ("typescript", "const board: Board = null; console.log(board.cells[0]);", "/bot/main.ts:5"),
    ],
)
def test_an_error_names_its_line(backend: Sandbox, tmp_path: Path, name: str, body: str, said: str) -> None:
    fault = fault_of(backend, in_language(backend, tmp_path, name, body), TurnLimits(cpu_ms=5_000))
    assert fault.verdict == Verdict.CRASHED
    assert said in fault.evidence.stderr


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("name", "body", "verdict", "said"),
    [
        ("csharp", "for (var all = new object[1];;) all = new object[] {all, new int[99]};", Verdict.MEMORY, ""),
        ("csharp", "Action<int> f = null; f = n => f(n + 1); f(0);", Verdict.CRASHED, "StackOverflowException"),
        ("csharp", "Console.WriteLine(syscall(101));", Verdict.SECURITY, ""),
        (
            "php",
            "for ($all = [];;) $all[] = str_repeat('x', 999);",
            Verdict.CRASHED,
            "Allowed memory size of 201326592",
        ),
        ("php", "function f($n) { return f($n + 1) + 1; } f(0);", Verdict.CRASHED, "Allowed memory size of 201326592"),
    ],
)
def test_a_program_beyond_its_limits_gets_the_verdict_that_the_docs_name(
    backend: Sandbox, tmp_path: Path, name: str, body: str, verdict: Verdict, said: str
) -> None:
    """In C# some errors at the end of the memory would be printed like an answer, if Mono itself held the limit."""
    fault = fault_of(backend, in_language(backend, tmp_path, name, body), TurnLimits(cpu_ms=9_000))
    assert fault.verdict == verdict
    assert said in fault.evidence.stderr


@pytest.mark.test_all
@pytest.mark.parametrize(
    ("name", "body", "answer", "stderr"),
    [
        ("csharp", "var thread = new Thread(() => Console.WriteLine(7)); thread.Start(); thread.Join();", "7", ""),
        ("php", "echo $board, 7, PHP_EOL;", "7", "Warning: Undefined variable $board in /bot/main.php on line 3\n"),
        ("php", "echo opcache_get_status()['jit']['on'] ? 7 : 0, PHP_EOL;", "7", ""),
        ("typescript", "console.log(line, typeof require('fs'), performance.now() > 0);", "go object true", ""),
    ],
)
def test_what_a_runtime_has_to_say_is_no_answer(
    backend: Sandbox, tmp_path: Path, name: str, body: str, answer: str, stderr: str
) -> None:
    with backend.start(in_language(backend, tmp_path, name, body), Limits()) as process:
        given = process.ask(["go"], TurnLimits(cpu_ms=5_000))
    assert (given.lines, given.stderr) == ((answer,), stderr)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("const n: string = 7;", 0, "main.ts(1,7): error TS2322"),
        ("const n: = 7;", 1, "main.ts(1,10): error TS1110"),
        ('import { step } from "./step";\nstep();', 1, "Cannot find module './step'"),
    ],
    ids=["types", "syntax", "missing"],
)
def test_errors_of_types_are_told_but_refuse_no_program(
    backend: Sandbox, tmp_path: Path, text: str, code: int, said: str
) -> None:
    """They depend on the compiler's version and settings, and on declarations of Node that Debian does not have."""
    source = pack(tmp_path / "source", {"main.ts": text})
    result, _out = build(backend, languages.language("typescript"), source, "main.ts")
    assert (bool(result.exit_code), said in result.output) == (bool(code), True), result.output


def test_a_warning_of_the_java_machine_is_no_answer(backend: Sandbox, tmp_path: Path) -> None:
    """The JVM prints a warning when it may not start a thread."""
    threads = """
        Runnable sleep = () -> { try { Thread.sleep(99_999_999); } catch (InterruptedException no) { } };
        try { while (true) new Thread(sleep).start(); } catch (OutOfMemoryError full) { System.out.println("full"); }
    """
    assert answer_of(backend, java(backend, tmp_path, threads)) == "full"


def test_languages_that_do_not_work_are_logged_and_not_offered(
    backend: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    python3 = languages.language("python")
    absent = replace(python3, version=("/usr/bin/no-such-tool",))
    wrong = replace(python3, selftest={"main.py": "print(input())"})
    unbuilt = replace(python3, selftest={"main.py": "print("})
    dead = replace(python3, selftest={"main.py": "raise SystemExit('no such library')"})
    found = list(toolchains(backend, [absent, python3, wrong, unbuilt, dead]))
    assert [toolchain.language for toolchain in found] == [python3]
    assert found[0].version.startswith("3.")
    reasons = ("no-such-tool: not found", "answers wrong", "SyntaxError", "no such library")
    assert len(caplog.messages) == len(reasons)
    for message, reason in zip(caplog.messages, reasons, strict=True):
        assert message.startswith("Python 3 is not offered here: ")
        assert reason in message
        assert message.endswith("(Debian's packages for it: python3 python3-numpy)")


def test_missing_libraries_are_logged_and_not_offered(backend: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    python3 = languages.language("python")
    bare = replace(python3, libraries=(*python3.libraries[:-1], "import numpy_of_nobody"))
    found = [toolchain.libraries for toolchain in toolchains(backend, [python3, bare])]
    assert re.fullmatch(r"numpy [\d.]+", found[0])
    assert found[1] == ""
    assert caplog.messages == [
        "Python 3 has no libraries here: ModuleNotFoundError: No module named 'numpy_of_nobody' (Debian's packages for"
        " it: python3 python3-numpy)"
    ]


def test_a_syntax_error_is_shown_with_file_and_line_and_nothing_is_run(backend: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("raise SystemExit('was run')\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "bad.py").write_text("x = 1\nif x\n    pass\n")
    (tmp_path / "worse.py").write_bytes(b"x = '\xff'\n")
    result = backend.run(Program(tmp_path, languages.language("python").build("main.py")), Limits(), cpu_ms=5_000)
    assert result.exit_code == 1
    assert 'File "lib/bad.py", line 2' in result.output
    assert "worse.py" in result.output
    assert "was run" not in result.output
