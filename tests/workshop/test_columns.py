"""The places in lines that compilers mean by their columns, ``workshop/static/workshop/columns.js``."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from deploy.settings import ROOT

MODULE = ROOT / "workshop/static/workshop/columns.js"
SCRIPT = Path(__file__).with_name("columns_found.mjs")
PLACES = [
    # Columns that compilers have given for the name after the last blank.
    ("main.cpp", "\tint a = b", 17),
    ("main.cpp", "  \tint c = d", 17),
    ("main.h", '\tconst char *s = "日本"; int e = f', 41),
    ("main.c", '\tconst char *t = "é"; int g = h', 38),
    ("main.cc", '\tconst char *u = "😀"; int i = j', 39),
    ("main.cpp", '\tconst char *w = "한글ｱ"; int m = n', 42),
    ("main.rs", '\tlet (s, c) = ("日本😀", d', 23),
    ("main.go", '\tvar s, c = "é", d', 19),
    ("Main.cs", '  \tstatic void F() { string s = "日本😀"; int a = c', 49),
    ("main.ts", '\tconst s = "日本😀"; const n', 26),
    ("main.cpp", "int a = b", 99),
]


def test_a_column_leads_to_its_place() -> None:
    if shutil.which("node") is None:
        pytest.skip("needs node: apt-get install nodejs")
    given = json.dumps([[column, text, path] for path, text, column in PLACES])
    ran = subprocess.run(["node", SCRIPT, MODULE], input=given, capture_output=True, text=True, check=True)
    ends = [text[text.rindex(" ") + 1 :] if column < 99 else "" for _path, text, column in PLACES]
    assert json.loads(ran.stdout) == ends
