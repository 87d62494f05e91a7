"""``banzuke sprt``: which matches it plays and what it prints."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from banzuke.bots import bot_ready
from banzuke.results import Result, result_log_opened
from games.registry import game_named
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import GAME, SMALL, result, results


def test_sprt_plays_pairs_ends_in_time_and_goes_on_where_it_ended(
    banzuke: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "sprt.jsonl"
    for games_max in (2, 4):
        in_order = ["--parallel", 1, "--games-max", games_max, "--log", log]
        assert banzuke("sprt", GAME, folder / "taker.py", folder / "idle.py", *SMALL, *in_order) == 1
        assert "No difference between taker.py and idle.py was found" in capsys.readouterr().out
    played = [(match.seed, match.bots[0]) for match in results(log)]
    assert played == [(0, "taker.py"), (0, "idle.py"), (1, "taker.py"), (1, "idle.py")]


def test_old_and_new_of_one_name_get_distinct_names(
    banzuke: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = []
    for version, name in (("v1", "taker.py"), ("v2", "idle.py")):
        (tmp_path / version).mkdir()
        words.append(str((folder / name).rename(tmp_path / version / "bot.py")))
    banzuke("sprt", GAME, *words, *SMALL, "--parallel", 1, "--games-max", 2)
    assert f"No difference between {words[0]} and {words[1]} was found" in capsys.readouterr().out


def write_log(path: Path, folder: Path, pairs: Iterable[int], halves: Iterable[int] = ()) -> list[Result]:
    """Write a log in which ``taker.py`` beats ``idle.py`` in pairs of matches, and in first halves of pairs."""
    taker, idle = (bot_ready(str(folder / name), game=GAME) for name in ("taker.py", "idle.py"))
    rules = game_named(GAME).rules_version
    with result_log_opened(path) as file:
        for seed, seats in [(seed, pair) for seed in pairs for pair in ((taker, idle), (idle, taker))] + [
            (seed, (taker, idle)) for seed in halves
        ]:
            ranks = (1, 2) if seats[0] is taker else (2, 1)
            found = result(*(bot.digest for bot in seats), ranks=ranks, seed=seed)
            file.add(msgspec.structs.replace(found, rules=rules, options={"turns": "2"}))
        return list(file.results)


@pytest.mark.parametrize(
    ("new", "old", "status", "sentence"),
    [("taker.py", "idle.py", 0, "taker.py is better than idle.py: +"), ("idle.py", "taker.py", 1, "idle.py is worse")],
)
def test_sprt_says_what_its_log_holds(
    new: str, old: str, status: int, sentence: str, banzuke: Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = folder / "sprt.jsonl"
    kept = write_log(log, folder, range(400))
    assert banzuke("sprt", GAME, folder / new, folder / old, *SMALL, "--log", log) == status
    assert capsys.readouterr().out.startswith(sentence)
    assert results(log) == kept


def test_pairs_are_judged_in_the_order_in_which_they_began(
    banzuke: Run, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Short matches end first, so a verdict on ended matches alone would be biased."""
    log = folder / "sprt.jsonl"
    kept = write_log(log, folder, range(1, 400), halves=[0])
    both = (folder / "taker.py", folder / "idle.py")
    assert banzuke("sprt", GAME, *both, *SMALL, "--log", log, "--parallel", 1) == 0
    assert capsys.readouterr().out.startswith("taker.py is better than idle.py: +")
    (played,) = results(log)[len(kept) :]
    assert (played.seed, played.bots) == (0, ["idle.py", "taker.py"]), "the first pair was not whole"


def test_sprt_of_one_program_is_refused(refusal: Refusal, folder: Path) -> None:
    assert "nothing to test" in refusal("sprt", GAME, folder / "idle.py", folder / "idle.py")


def test_sprt_plays_at_least_one_pair(refusal: Refusal) -> None:
    """Otherwise it plays no match at all and finds no difference."""
    refused = refusal("sprt", GAME, "taker.py", "idle.py", "--games-max", 1)
    assert "--games-max: matches are played in pairs: it must be at least 2" in refused
