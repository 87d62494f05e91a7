"""``banzuke sprt``: which matches it plays and what it prints."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from banzuke.bots import bot_ready
from banzuke.results import result_log_opened
from games.registry import game_named
from tests.banzuke.conftest import Run
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


@pytest.mark.parametrize(
    ("new", "old", "status", "sentence"),
    [("taker.py", "idle.py", 0, "taker.py is better than idle.py: +"), ("idle.py", "taker.py", 1, "idle.py is worse")],
)
def test_sprt_says_what_its_log_holds(
    new: str,
    old: str,
    status: int,
    sentence: str,
    banzuke: Run,
    folder: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    taker, idle = (bot_ready(str(folder / name), game=GAME) for name in ("taker.py", "idle.py"))
    log = tmp_path / "sprt.jsonl"
    with result_log_opened(log) as file:
        for seed in range(400):
            for seats in ((taker, idle), (idle, taker)):
                found = result(*(bot.digest for bot in seats), ranks=(1, 2) if seats[0] is taker else (2, 1), seed=seed)
                rules = game_named(GAME).rules_version
                file.add(msgspec.structs.replace(found, rules=rules, options={"turns": "2"}))
    kept = log.read_bytes()
    assert banzuke("sprt", GAME, folder / new, folder / old, *SMALL, "--log", log) == status
    assert capsys.readouterr().out.startswith(sentence)
    assert log.read_bytes() == kept


def test_pairs_are_judged_in_the_order_in_which_they_began(
    banzuke: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Short matches end first, so a verdict on ended matches alone would be biased."""
    taker, idle = (bot_ready(str(folder / name), game=GAME) for name in ("taker.py", "idle.py"))
    log, rules = tmp_path / "sprt.jsonl", game_named(GAME).rules_version
    with result_log_opened(log) as file:
        for seed in (*range(1, 400), 0):
            for seats in ((taker, idle), (idle, taker))[: 1 if seed == 0 else 2]:
                found = result(*(bot.digest for bot in seats), ranks=(1, 2) if seats[0] is taker else (2, 1), seed=seed)
                file.add(msgspec.structs.replace(found, rules=rules, options={"turns": "2"}))
    before = len(results(log))
    arguments = ["sprt", GAME, folder / "taker.py", folder / "idle.py", *SMALL, "--log", log, "--parallel", 1]
    assert banzuke(*arguments) == 0
    assert capsys.readouterr().out.startswith("taker.py is better than idle.py: +")
    (played,) = results(log)[before:]
    assert (played.seed, played.bots) == (0, ["idle.py", "taker.py"]), "the first pair was not whole"


def test_sprt_of_one_program_is_refused(banzuke: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert banzuke("sprt", GAME, folder / "idle.py", folder / "idle.py") == 2
    assert "nothing to test" in capsys.readouterr().err


def test_sprt_plays_at_least_one_pair(banzuke: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Otherwise it plays no match at all and finds no difference."""
    assert banzuke("sprt", GAME, "taker.py", "idle.py", "--games-max", 1) == 2
    assert "--games-max: matches are played in pairs: it must be at least 2" in capsys.readouterr().err
