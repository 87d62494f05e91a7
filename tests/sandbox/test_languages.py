"""Finding, checking and starting programs of each language."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from ladder.words.advice import advice_for
from sandbox import languages
from sandbox.api import Limits, Program, RunResult, Sandbox, TurnLimits, Verdict
from sandbox.languages import BUILD_CPU_MS, BUILD_LIMITS, Language, NoProgram
from sandbox.languages.language import MAKEFILES
from sandbox.toolchains import toolchains, version_of, works
from tests.sandbox.bundles import BUNDLES
from tests.sandbox.programs import answer_of, fault_of, python


def write(folder: Path, *names: str) -> Path:
    """Make empty files."""
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return folder


def pack(folder: Path, files: Mapping[str, str]) -> Path:
    """Make files that hold something, path to text."""
    for path, text in files.items():
        (write(folder, path) / path).write_text(text)
    return folder


@pytest.mark.parametrize(
    ("names", "entry"),
    [
        (("main.py", "bot.py", "other.py"), "main.py"),
        (("bot.py", "other.py"), "bot.py"),
        (("player.py", "data.txt", "lib/a.py"), "player.py"),
    ],
)
def test_python_is_detected(tmp_path: Path, names: tuple[str, ...], entry: str) -> None:
    language, found = languages.detect(write(tmp_path, *names))
    assert (language.name, found) == ("python", entry)


@pytest.mark.parametrize("names", [(), ("a.py", "b.py"), ("src/main.py",), ("main.cob",)])
def test_what_was_looked_for_is_told(tmp_path: Path, names: tuple[str, ...]) -> None:
    with pytest.raises(NoProgram, match=r"Python 3: main\.py, bot\.py") as caught:
        languages.detect(write(tmp_path, *names))
    assert f"which holds {', '.join(names) or 'no file'}." in str(caught.value)


def test_only_some_of_many_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoProgram, match=r"holds a, b, c, d, e, f and 2 more\."):
        languages.detect(write(tmp_path, *"abcdefgh"))


def test_a_folder_is_no_entry_point(tmp_path: Path) -> None:
    with pytest.raises(NoProgram):
        languages.detect(write(tmp_path, "main.py/readme"))


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoProgram, match=r"Known are: python"):
        languages.detect(write(tmp_path, "main.py"), "cobol")


def test_a_named_entry_point_goes_before_an_only_file(tmp_path: Path) -> None:
    language, entry = languages.detect(write(tmp_path, "train.py", "main.cpp", "tools.js"))
    assert (language.name, entry) == ("cpp", "main.cpp")


def test_an_entry_point_at_the_top_goes_before_one_in_a_folder(tmp_path: Path) -> None:
    write(tmp_path, "src/main.cpp", "tools.py")
    assert languages.detect(tmp_path)[1] == "src/main.cpp"
    write(tmp_path, "main.py")
    assert languages.detect(tmp_path)[1] == "main.py"


def test_the_author_may_tell_the_language(tmp_path: Path) -> None:
    write(tmp_path, "main.py", "main.c")
    assert languages.detect(tmp_path, "c")[1] == "main.c"
    with pytest.raises(NoProgram, match=r"main\.py and main\.c could each be"):
        languages.detect(tmp_path)


@pytest.mark.parametrize("language", languages.ALL, ids=lambda language: language.name)
def test_each_language_finds_its_own_program(tmp_path: Path, language: Language) -> None:
    for name in language.selftest:
        write(tmp_path, name)
    assert languages.detect(tmp_path) == (language, next(iter(language.selftest)))


@pytest.mark.parametrize("language", languages.ALL, ids=lambda language: language.name)
def test_each_language_builds_and_runs_its_own_program(walls: Sandbox, language: Language) -> None:
    installed(walls, language)
    assert works(walls, language)


def test_python_has_numpy(walls: Sandbox, tmp_path: Path) -> None:
    program = python(tmp_path, "import numpy as np\nprint(int(np.eye(int(input())).dot(np.ones(3)).sum()))")
    assert answer_of(walls, program, "3") == "3"


def test_there_is_an_archive_in_each_language() -> None:
    assert {language.name for language in languages.ALL} == set(BUNDLES), "see tests/sandbox/bundles.py"


@pytest.mark.parametrize("told", [False, True], ids=["detected", "told"])
@pytest.mark.parametrize("name", BUNDLES)
def test_each_language_is_detected_and_told_in_an_archive(tmp_path: Path, name: str, told: bool) -> None:
    pack(tmp_path, BUNDLES[name])
    if told:  # by its author, among the entry points of all the others
        for files in BUNDLES.values():
            pack(tmp_path, files)
        with pytest.raises(NoProgram, match="could each be"):
            languages.detect(tmp_path)
    language, entry = languages.detect(tmp_path, name if told else None)
    assert (language.name, entry in BUNDLES[name]) == (name, True)


@pytest.mark.parametrize("name", BUNDLES)
def test_each_language_builds_an_archive(walls: Sandbox, tmp_path: Path, name: str) -> None:
    """Several files, data read while it plays or a build file: with the limits of a build, and without a network."""
    language = languages.language(name)
    installed(walls, language)
    source, out = tmp_path / "source", tmp_path / "out"
    out.mkdir()
    pack(write(source, "weights.txt"), BUNDLES[name])
    entry = languages.detect(source)[1]
    result = walls.run(Program(source, language.build(entry)), BUILD_LIMITS, BUILD_CPU_MS, out)
    assert result.exit_code == 0, result.output
    assert result.usage.cpu_ms < BUILD_CPU_MS / 10, "far from its limit"
    root = out if language.compiled else source
    assert answer_of(walls, Program(root, language.command(entry, Limits())), "41") == "43"
    assert (root / "weights.txt").is_file(), "what is not compiled goes along"


@pytest.mark.parametrize("name", ["python", "c", "cpp", "javascript", "rust", "ruby"])
def test_the_only_source_file_may_be_named_like_an_option(walls: Sandbox, tmp_path: Path, name: str) -> None:
    language = languages.language(name)
    installed(walls, language)
    source, out = tmp_path / "source", tmp_path / "out"
    out.mkdir()
    (text,) = language.selftest.values()
    source.mkdir()
    pack(source, {f"-bot{language.suffixes[0]}": text})
    found, entry = languages.detect(source)
    result = walls.run(Program(source, language.build(entry)), BUILD_LIMITS, BUILD_CPU_MS, out)
    assert (found, result.exit_code) == (language, 0), result.output
    root = out if language.compiled else source
    assert answer_of(walls, Program(root, language.command(entry, Limits())), "41") == "42"


@pytest.mark.parametrize(
    ("name", "suffix", "folder"),
    [("c", ".c", "src"), ("cpp", ".cpp", "src"), ("cpp", ".cc", "."), ("cpp", ".cxx", ".")],
)
def test_sources_may_have_any_names(walls: Sandbox, tmp_path: Path, name: str, suffix: str, folder: str) -> None:
    """Spaces, what begins like an option of the compiler, and for a folder that of the program."""
    language = languages.language(name)
    installed(walls, language)
    source, out = tmp_path / "source", tmp_path / "out"
    write(source, f"{folder}/bot/step.h")
    out.mkdir()
    (source / folder / f"my bot{suffix}").write_text(
        '#include "bot/step.h"\nint step(void);\nint main(void) { return step(); }\n'
    )
    (source / folder / f"-v 'two'{suffix}").write_text("int step(void) { return 0; }\n")
    step = Program(source, language.build(f"{folder}/my bot{suffix}"))
    result = walls.run(step, BUILD_LIMITS, BUILD_CPU_MS, out)
    assert (result.exit_code, result.output) == (0, "")
    assert (out / "bot").is_file()


def build(walls: Sandbox, language: Language, source: Path, entry: str) -> tuple[RunResult, Path]:
    """Build what lies in a folder; return how that went and where the program lies."""
    installed(walls, language)
    out = source.parent / "out"
    out.mkdir()
    return walls.run(Program(source, language.build(entry)), BUILD_LIMITS, BUILD_CPU_MS, out), out


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


@pytest.mark.parametrize("name", MAKEFILES)
def test_what_was_made_elsewhere_is_made_again(walls: Sandbox, tmp_path: Path, name: str) -> None:
    """What was made of older sources or by another system lies in many an archive, and make would take it for done."""
    stale = {"bot": "of another system", "main.o": "no object", "libh.a": "no archive", "tables.inc": "#define N 7"}
    sources = {
        "main.c": '#include <stdio.h>\n#include "tables.inc"\nint h(void);\n'
        'int main(void) { getchar(); printf("%d\\n", N + h()); }\n',
        "h.c": "int h(void) { return 0; }\n",
    }
    source = pack(tmp_path / "source", {**sources, **stale, name: MAKEFILE})
    (source / "bot").chmod(0o755)
    result, out = build(walls, languages.language("c"), source, "main.c")
    assert result.exit_code == 0, result.output
    assert "Left out, to be made: ./libh.a" in result.output
    assert answer_of(walls, Program(out, ("/bot/bot",))) == "42"


def test_a_helper_in_another_language_does_not_win(tmp_path: Path) -> None:
    write(tmp_path, "pack.py", "bot/main.cpp", "web/index.js")
    with pytest.raises(NoProgram, match=r"pack\.py and bot/main\.cpp could each be the program"):
        languages.detect(tmp_path)
    assert languages.detect(tmp_path, "python")[1] == "pack.py"
    assert languages.detect(write(tmp_path, "main.py"))[1] == "main.py", "its name tells"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("main.cpp",), "main.cpp is taken as the program in C++, since it has the name of one."),
        (("me.cxx",), "in C++, since no other file at the top ends in .cpp or .cc or .cxx."),
        (("src/main.cc", "src/b.cxx", "src/a.h"), "the name of one. Compiled together with it: src/b.cxx."),
        (("main.c", "b.c", "makefile"), "since it has the name of one. The Makefile says what is compiled."),
    ],
)
def test_the_log_says_which_sources_were_taken_and_why(tmp_path: Path, names: tuple[str, ...], said: str) -> None:
    language, entry = languages.detect(write(tmp_path, *names))
    assert language.taken(tmp_path, entry).endswith(said)


def test_a_main_function_is_a_reason_too(tmp_path: Path) -> None:
    language, entry = languages.detect(pack(tmp_path, {"a/Go.java": MAIN}))
    assert language.taken(tmp_path, entry).endswith("since it has a main function.")


@pytest.mark.parametrize("name", ["c", "cpp"])
def test_a_backup_beside_the_program_is_named(walls: Sandbox, tmp_path: Path, name: str) -> None:
    language = languages.language(name)
    suffix = language.suffixes[0]
    text = "int step(void);\nint main(void) { return step(); }\n"
    files = {f"main{suffix}": text, f"main_old{suffix}": text, f"step{suffix}": "int step(void) { return 0; }\n"}
    source = pack(tmp_path / "source", files)
    result, _out = build(walls, language, source, f"main{suffix}")
    assert language.why_not_built(source, f"main{suffix}", result.output) == (
        f"All sources beside main{suffix} make one program with it, and main_old{suffix} may define the same once more."
        " Leave backups out of the upload."
    )


@pytest.mark.parametrize(
    ("text", "compiler", "words"),
    [
        ("int x = " + "(" * 20_000 + "1" + ")" * 20_000 + ";", "ulimit -Hs 8192; g++", "8 MiB unless it takes more"),
        ("int t[20'000'000] = {1};", "g++", "file larger than the 48 MiB"),
    ],
    ids=["stack", "file"],
)
def test_a_limit_that_the_compiler_meets_is_named(
    walls: Sandbox, tmp_path: Path, text: str, compiler: str, words: str
) -> None:
    cpp = languages.language("cpp")
    makefile = f"bot:\n\t{compiler} -o $@ main.cpp\n"
    source = pack(tmp_path / "source", {"main.cpp": f"{text}\nint main() {{}}\n", "Makefile": makefile})
    result, _out = build(walls, cpp, source, "main.cpp")
    assert result.exit_code != 0
    assert words in cpp.why_not_built(source, "main.cpp", result.output), result.output


def test_an_error_of_the_program_is_left_to_the_compiler(walls: Sandbox, tmp_path: Path) -> None:
    cpp = languages.language("cpp")
    source = pack(tmp_path / "source", {"main.cpp": "int main() { return x; }\n", "b.cpp": ""})
    result, _out = build(walls, cpp, source, "main.cpp")
    assert (result.exit_code, cpp.why_not_built(source, "main.cpp", result.output)) == (1, "")


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
def test_python_2_is_told_as_python_2(walls: Sandbox, tmp_path: Path, text: str) -> None:
    python3 = languages.language("python")
    source = pack(tmp_path / "source", {"main.py": text})
    result, _out = build(walls, python3, source, "main.py")
    told = "The program is written in Python 2, and this is Python 3."
    if result.exit_code:
        assert python3.why_not_built(source, "main.py", result.output) == told
    else:
        assert (
            python3.is_older(fault_of(walls, Program(source, python3.command("main.py", Limits()))).evidence.stderr)
            == told
        )


def test_java_may_begin_with_a_byte_order_mark(walls: Sandbox, tmp_path: Path) -> None:
    main = "public static void main(String[] a) throws Exception { System.in.read(); System.out.println(B.N); }"
    sources = {"A": f"class A {{ {main} }}", "B": "class B { static int N = 42; }"}
    source = pack(tmp_path / "source", {f"me/{n}.java": f"\ufeffpackage me; {text}" for n, text in sources.items()})
    java = languages.language("java")
    entry = languages.detect(source)[1]
    result, out = build(walls, java, source, entry)
    assert result.exit_code == 0, result.output
    assert answer_of(walls, Program(out, java.command(entry, Limits()))) == "42"


MAIN = "public static void main(String[] args) {}"


@pytest.mark.parametrize(
    ("files", "entry"),
    [
        ({"Player.java": f"class Player {{ {MAIN} }}", "Board.java": "class Board {}"}, "Player.java"),
        ({"me/bot/Start.java": f"class Start {{ {MAIN} }}", "me/bot/Board.java": f"// {MAIN}"}, "me/bot/Start.java"),
        ({"a/Main.java": f"class Main {{\n {MAIN} }}", "a/Tool.java": f"class Tool {{ {MAIN} }}"}, "a/Main.java"),
        ({"zip.py": "", "src/a/Main.java": MAIN}, "src/a/Main.java"),
    ],
    ids=["at the top", "in packages", "by its name", "not behind a helper's"],
)
def test_java_begins_where_its_main_function_is(tmp_path: Path, files: dict[str, str], entry: str) -> None:
    assert languages.detect(pack(tmp_path, files))[1] == entry


@pytest.mark.parametrize("name", ["One", "Main"])
def test_which_of_several_main_functions_is_meant_has_to_be_told(tmp_path: Path, name: str) -> None:
    pack(tmp_path, {f"a/{name}.java": MAIN, f"b/{name}.java": MAIN})
    with pytest.raises(NoProgram, match=rf"a/{name}\.java and b/{name}\.java could each.*be named Main\.java"):
        languages.detect(tmp_path)


def test_a_text_made_to_be_read_slowly_is_not(tmp_path: Path) -> None:
    """The attack: sources are read outside of the walls; time that grew by the square would stop the worker."""
    text = "\n" * 1_000_000 + "public " * 100_000 + "static" + " " * 1_000_000 + "/*" * 1_000_000 + MAIN
    assert languages.detect(pack(tmp_path, {"src/a/A.java": text}))[1] == "src/a/A.java"


def test_java_that_was_built_before_its_build_told_the_class_still_plays(tmp_path: Path) -> None:
    write(tmp_path, "java").joinpath("java").write_text('#!/bin/sh\necho "$@"')
    (tmp_path / "java").chmod(0o755)
    command = languages.language("java").command("src/Main.java", Limits())
    said = subprocess.run(command, env={"PATH": str(tmp_path)}, stdout=subprocess.PIPE, text=True, check=True).stdout
    assert said.startswith("-Xmx")
    assert said.endswith("-cp /bot Main\n")


def java(walls: Sandbox, folder: Path, body: str) -> Program:
    """Build a Java program whose main function is given; it may call f, which recurses for ever.

    Its file is called otherwise than the class, which is in a package, as it stands in many an editor.
    """
    language = languages.language("java")
    installed(walls, language)
    source, out = folder / "source", folder / "out"
    source.mkdir()
    out.mkdir()
    main = f"public static void main(String[] words) throws Exception {{ System.in.read(); {body} }}"
    endless = "static int f(int n) { return f(n + 1) + 1; }"
    (source / "my bot.java").write_text(f"package com.me; class Board {{}} class Main {{ {endless} {main} }}")
    result = walls.run(Program(source, language.build("my bot.java")), BUILD_LIMITS, BUILD_CPU_MS, out)
    assert result.exit_code == 0, result.output
    return Program(out, language.command("my bot.java", Limits()))


def test_javascript_of_codingame_plays_as_it_stands(walls: Sandbox, tmp_path: Path) -> None:
    """Its bots never leave their loop, and read, write and debug by functions that Node does not have."""
    language = languages.language("javascript")
    installed(walls, language)
    source = "while (true) { const n = parseInt(readline()); printErr('é ' + n); print(n + 1); }"
    (tmp_path / "player.js").write_text(source)
    with walls.start(Program(tmp_path, language.command("player.js", Limits())), Limits()) as process:
        answers = [process.ask([str(n)], TurnLimits(cpu_ms=1_000)) for n in (7, 41)]
    assert [answer.lines for answer in answers] == [("8",), ("42",)]
    assert answers[1].stderr == "é 41\n"


def test_who_recurses_for_ever_in_java_is_told_where(walls: Sandbox, tmp_path: Path) -> None:
    fault = fault_of(walls, java(walls, tmp_path, "System.out.println(f(0));"), TurnLimits(cpu_ms=5_000))
    assert fault.verdict == Verdict.CRASHED
    assert "StackOverflowError" in fault.evidence.stderr
    assert "com.me.Main.f(my bot.java:1)" in fault.evidence.stderr


@pytest.mark.parametrize("name", ["java", "javascript"])
def test_a_full_heap_is_told_in_the_words_that_our_advice_names(walls: Sandbox, tmp_path: Path, name: str) -> None:
    if name == "java":
        program = java(walls, tmp_path, 'String all = words.length + "x"; while (true) all += all;')
    else:
        language = languages.language(name)
        installed(walls, language)
        (tmp_path / "main.js").write_text(
            "const all = []; for (;;) all.push(new Array(999_999).fill(all.length + 0.5))"
        )
        program = Program(tmp_path, language.command("main.js", Limits()))
    fault = fault_of(walls, program, TurnLimits(cpu_ms=5_000))
    said = "OutOfMemoryError" if name == "java" else "heap out of memory"
    assert fault.verdict == Verdict.CRASHED
    assert said in fault.evidence.stderr
    assert said in advice_for(verdict=fault.verdict, step="", language=name)


def test_a_warning_of_the_java_machine_is_no_answer(walls: Sandbox, tmp_path: Path) -> None:
    """It warns of a thread that it may not start."""
    threads = """
        Runnable sleep = () -> { try { Thread.sleep(99_999_999); } catch (InterruptedException no) { } };
        try { while (true) new Thread(sleep).start(); } catch (OutOfMemoryError full) { System.out.println("full"); }
    """
    assert answer_of(walls, java(walls, tmp_path, threads)) == "full"


def test_what_a_build_may_use() -> None:
    assert (BUILD_CPU_MS, BUILD_LIMITS.memory_mib) == (120_000, 1_024)


def test_a_broken_program_is_not_built(walls: Sandbox, tmp_path: Path) -> None:
    cpp = languages.language("cpp")
    installed(walls, cpp)
    (tmp_path / "source").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "source" / "main.cpp").write_text("int main() { return x; }\n")
    step = Program(tmp_path / "source", cpp.build("main.cpp"))
    result = walls.run(step, BUILD_LIMITS, BUILD_CPU_MS, tmp_path / "out")
    assert "main.cpp:1" in result.output
    assert (result.exit_code, list((tmp_path / "out").iterdir())) == (1, [])


def test_only_what_works_is_announced_and_why_not_is_told(walls: Sandbox, caplog: pytest.LogCaptureFixture) -> None:
    python3 = languages.language("python")
    absent = replace(python3, version=("/usr/bin/no-such-tool",))
    wrong = replace(python3, selftest={"main.py": "print(input())"})
    unbuilt = replace(python3, selftest={"main.py": "print("})
    dead = replace(python3, selftest={"main.py": "raise SystemExit('no such library')"})
    found = list(toolchains(walls, [absent, python3, wrong, unbuilt, dead]))
    assert [toolchain.language for toolchain in found] == [python3]
    assert found[0].version.startswith("3.")
    reasons = ("no-such-tool: not found", "answers wrong", "SyntaxError", "no such library")
    assert len(caplog.messages) == len(reasons)
    for message, reason in zip(caplog.messages, reasons, strict=True):
        assert message.startswith("Python 3 is not offered here: ")
        assert reason in message
        assert message.endswith("(Debian's packages for it: python3 python3-numpy)")


def test_only_libraries_that_are_there_are_announced_and_why_not_is_told(
    walls: Sandbox, caplog: pytest.LogCaptureFixture
) -> None:
    python3 = languages.language("python")
    bare = replace(python3, libraries=(*python3.libraries[:-1], "import numpy_of_nobody"))
    found = [toolchain.libraries for toolchain in toolchains(walls, [python3, bare])]
    assert re.fullmatch(r"numpy [\d.]+", found[0])
    assert found[1] == ""
    assert caplog.messages == [
        "Python 3 has no libraries here: ModuleNotFoundError: No module named 'numpy_of_nobody' (Debian's packages for"
        " it: python3 python3-numpy)"
    ]


def installed(walls: Sandbox, language: Language) -> None:
    """Skip the test where a language is missing."""
    if version_of(walls, language) is None:
        pytest.skip(f"needs {language.title} ({walls.name}): apt-get install {' '.join(language.packages)}")


def test_a_syntax_error_is_shown_with_file_and_line_and_nothing_is_run(walls: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "main.py").write_text("raise SystemExit('was run')\n")
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "bad.py").write_text("x = 1\nif x\n    pass\n")
    (tmp_path / "worse.py").write_bytes(b"x = '\xff'\n")
    result = walls.run(Program(tmp_path, languages.language("python").build("main.py")), Limits(), cpu_ms=5_000)
    assert result.exit_code == 1
    assert 'File "lib/bad.py", line 2' in result.output
    assert "worse.py" in result.output
    assert "was run" not in result.output
