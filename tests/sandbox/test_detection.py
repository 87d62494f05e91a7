"""Which file of an upload is the program, and in which language."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox import languages
from sandbox.api import Limits, Program, Sandbox
from sandbox.languages import NoProgram
from tests.sandbox.building import build, pack, write
from tests.sandbox.programs import answer_of
from tests.words import english

MAIN = "public static void main(String[] args) {}"


@pytest.mark.parametrize(
    ("names", "name", "entry"),
    [
        ("main.py bot.py other.py", "python", "main.py"),
        ("bot.py other.py", "python", "bot.py"),
        ("player.py data.txt lib/a.py", "python", "player.py"),
        ("train.py main.cpp tools.js", "cpp", "main.cpp"),
        ("src/main.cpp tools.py", "cpp", "src/main.cpp"),
        ("src/main.cpp tools.py main.py", "python", "main.py"),
        ("main.ts main.js step.js", "typescript", "main.ts"),
        ("player.js player.ts", "typescript", "player.ts"),
        ("main.js tools.ts", "javascript", "main.js"),
        ("docs/a.md web/index.js web/board.js web/node_modules/x/index.js", "javascript", "web/index.js"),
        ("ai/player.js docs/a.md", "javascript", "ai/player.js"),
        ("ai/bot.ts ai/bot.js ai/node.d.ts docs/a.md", "typescript", "ai/bot.ts"),
        ("bot/main.py lib/a.py", "python", "bot/main.py"),
    ],
)
def test_a_program_is_detected(tmp_path: Path, names: str, name: str, entry: str) -> None:
    language, found = languages.detect(write(tmp_path, *names.split()))
    assert (language.name, found) == (name, entry)


@pytest.mark.parametrize("names", [(), ("a.py", "b.py"), ("src/a.py", "src/b.py"), ("main.cob",), ("main.py/readme",)])
def test_the_expected_entry_points_are_named(tmp_path: Path, names: tuple[str, ...]) -> None:
    """Those of the languages that the archive holds; those of all languages if it holds none."""
    with pytest.raises(NoProgram, match=r"Python 3: main\.py, bot\.py") as caught:
        languages.detect(write(tmp_path, *names))
    said = english(caught.value.why)
    assert f"holds {', '.join(names) or 'no file'}." in said
    assert ("C++: " in said) == (not any(name.endswith(".py") for name in names))


def test_several_entry_points_in_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(NoProgram, match=r"build-two-programs names=a/main\.js, b/main\.js"):
        languages.detect(write(tmp_path, "a/main.js", "b/main.js"))


@pytest.mark.parametrize(
    ("files", "name", "entry"),
    [
        ({"ai/player.cc": "int\tmain()\n{", "ai/board.cc": "int x;", "docs/a.md": ""}, "cpp", "ai/player.cc"),
        (
            {"ai/player.c": "int main (void) {", "ai/b.c": "// int main()", "tests/t.c": "main() {"},
            "c",
            "ai/player.c",
        ),
        ({"player.cpp": "main() {", "board.cpp": "  int main(", "gen.py": ""}, "cpp", "player.cpp"),
        ({"a/main.cpp": "int main() {", "a/tool.cpp": "int main() {", "b/x.c": ""}, "cpp", "a/main.cpp"),
    ],
)
def test_c_and_cpp_begin_where_their_main_function_is(
    tmp_path: Path, files: dict[str, str], name: str, entry: str
) -> None:
    language, found = languages.detect(pack(tmp_path, files), name if "gen.py" in files else None)
    assert (language.name, found) == (name, entry)
    assert "since it has a main function" in language.taken(tmp_path, entry) or entry == "a/main.cpp"


@pytest.mark.test_all
@pytest.mark.parametrize("name", ["c", "cpp", "javascript", "typescript", "python", "rust", "go", "php", "ruby"])
def test_a_program_in_one_folder_of_several_plays(backend: Sandbox, tmp_path: Path, name: str) -> None:
    language = languages.language(name)
    (entry,) = language.selftest
    source = pack(tmp_path / "source", {f"ai/{entry}": language.selftest[entry], "docs/notes.txt": ""})
    found = languages.detect(source)
    result, root = build(backend, language, source, found[1])
    assert (found, result.exit_code) == ((language, f"ai/{entry}"), 0), result.output
    assert answer_of(backend, Program(root, language.command(found[1], Limits())), "41") == "42"


def test_an_unknown_language_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoProgram, match=r"build-unknown-language .*known=python"):
        languages.detect(write(tmp_path, "main.py"), "cobol")


def test_a_helper_in_another_language_is_not_the_program(tmp_path: Path) -> None:
    write(tmp_path, "pack.py", "bot/main.cpp", "web/index.js")
    with pytest.raises(NoProgram, match=r"build-two-programs names=pack\.py, bot/main\.cpp"):
        languages.detect(tmp_path)
    assert languages.detect(tmp_path, "python")[1] == "pack.py"
    assert languages.detect(write(tmp_path, "main.py"))[1] == "main.py", "its name tells"


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("main.cpp", "main.cpp is taken as the program in C++, since it has the name of one."),
        ("me.cxx", "in C++, since no other file at the top ends in .cpp or .cc or .cxx."),
        ("src/main.cc src/b.cxx src/a.h", "the name of one. Compiled together with it: src/b.cxx."),
        ("main.c b.c makefile", "since it has the name of one. The Makefile says what is compiled."),
        ("a/Go.java", "since it has a main function."),
    ],
)
def test_the_log_says_which_sources_were_taken_and_why(tmp_path: Path, names: str, said: str) -> None:
    language, entry = languages.detect(pack(tmp_path, dict.fromkeys(names.split(), MAIN)))
    assert language.taken(tmp_path, entry).endswith(said)


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
def test_several_main_functions_are_refused(tmp_path: Path, name: str) -> None:
    pack(tmp_path, {f"a/{name}.java": MAIN, f"b/{name}.java": MAIN})
    with pytest.raises(NoProgram, match=rf"build-two-mains names=a/{name}\.java, b/{name}\.java entry=Main\.java"):
        languages.detect(tmp_path)


def test_finding_a_main_function_takes_linear_time(tmp_path: Path) -> None:
    """The attack: the worker reads sources outside of the sandbox; a search in quadratic time would block it."""
    text = "\n" * 1_000_000 + "public " * 100_000 + "static" + " " * 1_000_000 + "/*" * 1_000_000 + MAIN
    assert languages.detect(pack(tmp_path, {"src/a/A.java": text}))[1] == "src/a/A.java"
