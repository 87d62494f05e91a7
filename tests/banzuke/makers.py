"""Bots and results for the tests of leagues and of sprt."""

from __future__ import annotations

from pathlib import Path

from banzuke.results import Result, result_log_opened

GAME = "kakomimasu"
IDLE = """import sys
seat, players, width, height, agents, turns = map(int, input().split())
{begin}
for _ in range(height): input()
for turn in range(turns):
    for _ in range(1 + players + height + players * agents + 1): input()
    print({answer!r} + ' \\n', end='')
    for agent in range(agents - 1): print('NONE')
    sys.stdout.flush()
"""
SMALL = ["--option", "turns=2"]
MUMBLER = """
input()
while True:
    heading = input().split()
    if heading[0] == "BID":
        for _ in range(8):
            input()
        print("BID 5", flush=True)
    else:
        print(heading[-1].split(",")[0], flush=True)
"""
"""A bot that answers with a word instead of a number; the game forgives three such answers."""


def bot(folder: Path, name: str, *, answer: str = "NONE", begin: str = "") -> Path:
    """Write a bot that gives the same answer in every turn."""
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.py"
    path.write_text(f"# {name}\n" + IDLE.format(answer=answer, begin=begin))
    return path


def results(path: Path) -> list[Result]:
    with result_log_opened(path) as log:
        return log.results


def result(*bots: str, ranks: tuple[int, ...], seed: int = 0, faults: tuple[str | None, ...] = ()) -> Result:
    """Return the result of a match of bots whose digests are their names."""
    verdicts = list(faults) or [None] * len(bots)
    return Result(
        GAME, "1", {}, seed, list(bots), list(bots), list(ranks), [0.0] * len(bots), verdicts, [None] * len(bots)
    )
