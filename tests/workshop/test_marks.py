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
