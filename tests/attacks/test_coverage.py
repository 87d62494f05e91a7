"""The list of attacks is complete: all that it names exists, and it names every hostile program."""

from __future__ import annotations

import re
from itertools import chain
from pathlib import Path

from tests.attacks.builds import build_attacks
from tests.attacks.coverage import AGAINST_THE_SANDBOX, BY_UPLOADS

TESTS = Path(__file__).parents[1]
PROGRAMS = {path.stem for path in (TESTS / "attacks" / "programs").iterdir()}
BUILDS = {attack.name for attack in build_attacks("")}


def test_everything_named_exists() -> None:
    source = "".join(path.read_text(encoding="utf-8") for path in TESTS.rglob("test_*.py"))
    known = PROGRAMS | BUILDS | set(re.findall(r"^def (test_\w+)\(", source, re.MULTILINE))
    assert set(chain(*AGAINST_THE_SANDBOX.values(), *BY_UPLOADS.values())) - known == set()


def test_every_attack_is_listed() -> None:
    named = set(chain(*AGAINST_THE_SANDBOX.values()))
    assert (PROGRAMS | BUILDS) - named == set()
