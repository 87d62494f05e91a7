"""The names of two command lines, ``core`` and ``rating simulate``, start what lies elsewhere."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

QUESTION = b'{"op":"legal","board":{"R":[13],"B":[8]}}\n'


@pytest.mark.parametrize("name", ["core", "banzuke"])
def test_both_names_answer_as_the_oracle(name: str) -> None:
    command = [sys.executable, "-m", name, "judge", "attack25"]
    done = subprocess.run(command, input=QUESTION, capture_output=True, timeout=60, check=True)
    assert set(json.loads(done.stdout)) == {"legal", "class"}


@pytest.mark.parametrize(
    ("command", "begins"),
    [
        (("core", "bench", "attack25", "--repeats", "1", "--seconds", "0.001"), "attack25"),
        (("rating", "simulate", "--bots", "20", "--matches-per-bot", "5"), "{"),
    ],
    ids=["rules", "ratings"],
)
def test_studies_are_started_by_the_names_of_the_packages(command: tuple[str, ...], begins: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, timeout=120, check=True, text=True)
    assert done.stdout.startswith(begins)
