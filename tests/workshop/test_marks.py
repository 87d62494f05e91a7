"""The places that compilers and interpreters name."""

from __future__ import annotations

import pytest

from workshop.selectors.marks import MARKS_MAX, marks_of

LOGS = {
    "gcc": (
        "main.cpp: In function 'int main()':\nmain.cpp:3:5: error: expected ';'\n",
        ("main.cpp", 3, 5, "error: expected ';'", True),
    ),
    "gcc warning": (
        "src/a.c:9:1: warning: unused variable 'x'",
        ("src/a.c", 9, 1, "warning: unused variable 'x'", False),
    ),
    "java": ("Main.java:4: error: ';' expected\n", ("Main.java", 4, 0, "error: ';' expected", True)),
    "kotlin": (
        "main.kt:2:9: error: unresolved reference: foo",
        ("main.kt", 2, 9, "error: unresolved reference: foo", True),
    ),
    "csharp": (
        "/build/Program.cs(5,17): error CS1002: ; expected [/build/bot.csproj]",
        ("/build/Program.cs", 5, 17, "error CS1002: ; expected [/build/bot.csproj]", True),
    ),
    "typescript": (
        "main.ts(3,7): error TS2322: Type 'string' is not assignable.",
        ("main.ts", 3, 7, "error TS2322: Type 'string' is not assignable.", True),
    ),
    "rust": (
        "error[E0425]: cannot find value `x`\n --> src/main.rs:2:5\n  |\n",
        ("src/main.rs", 2, 5, "error[E0425]: cannot find value `x`", True),
    ),
    "go": ("# bot\n./main.go:7:2: undefined: foo\n", ("./main.go", 7, 2, "undefined: foo", True)),
    "python": (
        '  File "/app/main.py", line 12\n    def (\n        ^\nSyntaxError: invalid syntax\n',
        ("/app/main.py", 12, 0, "SyntaxError: invalid syntax", True),
    ),
    "php": (
        "PHP Parse error:  syntax error, unexpected '}' in main.php on line 8",
        ("main.php", 8, 0, "PHP Parse error:  syntax error, unexpected '}'", True),
    ),
    "ruby": (
        "main.rb:6: syntax error, unexpected end-of-input",
        ("main.rb", 6, 0, "syntax error, unexpected end-of-input", True),
    ),
    "javascript": (
        "/app/main.js:3\nlet let = 1;\n    ^^^\n\nSyntaxError: let is disallowed\n",
        ("/app/main.js", 3, 0, "SyntaxError: let is disallowed", True),
    ),
}


@pytest.mark.parametrize("name", LOGS)
def test_the_line_is_found(name: str) -> None:
    log, expected = LOGS[name]
    assert [tuple(mark.values()) for mark in marks_of(log=log)] == [expected]


def test_hostile_logs_give_few_marks_in_little_time() -> None:
    many = "".join(f"main.py:{line}:1: error\n" for line in range(5_000))
    assert len(marks_of(log=many)) == MARKS_MAX
    assert marks_of(log="a" * 80_000 + "\n" + "/a" * 40_000 + ".py:x\n" + "a.py" * 20_000) == []
    assert marks_of(log="") == []


def test_the_newest_call_of_a_traceback_comes_first() -> None:
    log = 'File "/bot/main.py", line 9\nFile "/bot/helper.py", line 4\nValueError: no\n'
    marks = marks_of(log=log)
    assert [(mark["line"], mark["text"]) for mark in marks] == [(4, "ValueError: no"), (9, "ValueError: no")]


def test_a_message_of_rust_belongs_to_the_next_place_alone() -> None:
    log = "error: one\n --> src/main.rs:1:2\nsrc/main.rs:3:4\nwarning: two\n --> src/main.rs:5:6\n"
    found = [(mark["line"], mark["text"], mark["is_error"]) for mark in marks_of(log=log)]
    assert found == [(1, "error: one", True), (3, "", True), (5, "warning: two", False)]


def test_the_first_message_of_a_line_is_kept() -> None:
    log = "a.c:1:1: error: first\na.c:1:9: error: second\nb.c:1:1: error: other\n"
    assert [mark["text"] for mark in marks_of(log=log)] == ["error: first", "error: other"]


@pytest.mark.parametrize(
    ("text", "is_error"),
    [("warning: x", False), ("Warning: x", False), ("forewarning", True), ("x" * 40 + " warning: y", True)],
)
def test_a_warning_says_so_at_its_beginning(text: str, is_error: bool) -> None:
    (mark,) = marks_of(log=f"main.c:1:1: {text}")
    assert mark["is_error"] is is_error


@pytest.mark.parametrize("log", ["main.txt:3:5: no source", "at 12:30:45", "https://a.example/x:1:2", "main.py", ":3:"])
def test_what_is_no_place_in_a_source_is_left_out(log: str) -> None:
    assert marks_of(log=log) == []


def test_long_logs_lines_and_messages_are_cut() -> None:
    assert marks_of(log="x\n" * 2_000 + "main.c:1:1: error\n") == []
    assert len(marks_of(log="x\n" * 1_999 + "main.c:1:1: error\n")) == 1
    assert marks_of(log=" " * 1_000 + "main.c:1:1: error") == []
    (mark,) = marks_of(log="main.c:1:1: " + "e" * 900)
    assert mark["text"] == "e" * 300
    (mark,) = marks_of(log="main.c:99999999999999999999:88888888888888888888: error")
    assert (mark["line"], mark["column"]) == (999_999_999, 888_888_888), "what a database or a script can hold"


def test_an_error_names_only_the_calls_before_it() -> None:
    log = 'File "/a.py", line 1\nKeyError: 1\nFile "/b.py", line 2\nmymodule.OwnError: 2\n'
    assert [(mark["path"], mark["text"]) for mark in marks_of(log=log)] == [
        ("/a.py", "KeyError: 1"),
        ("/b.py", "mymodule.OwnError: 2"),
    ]
    (mark,) = marks_of(log='File "/a.py", line 1\nSystemExit\n')
    assert mark["text"] == "SystemExit"
