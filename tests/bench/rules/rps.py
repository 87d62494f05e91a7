"""A benchmark case of the toy game, for tests of the benchmark."""

from __future__ import annotations

from tests.bench.rules import Case
from tests.core.toy import RockPaperScissors

CASES = [
    Case(
        "reset",
        4,
        "boards",
        lambda: lambda: RockPaperScissors().reset([0, 1, 2, 3]),
        key="rps_reset",
        plain=lambda: lambda: [[0, 0] for _ in range(2)],
        plain_batch=2,
    )
]
