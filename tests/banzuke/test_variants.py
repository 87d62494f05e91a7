"""Rulesets, options and table sizes in the commands at home: chosen by name, refused in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.replay import decode
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import results

pytestmark = pytest.mark.test_all

TURNS = ("--option", "turns=2")
GUESSER = "while True:\n    lines = [input() for _ in range({lines})]\n    print(len(lines[0]) % 6)\n"


def seats(replay: Path) -> list[str]:
    return [seat["name"] for seat in decode(replay.read_bytes())[0]["seats"]]


def test_a_match_is_played_by_a_ruleset_and_house_bots_take_the_seats_that_are_left(
    banzuke: Run, tmp_path: Path
) -> None:
    replay = tmp_path / "match.replay"
    assert (
        banzuke("play", "kakomimasu", "house:ring", "--ruleset", "2020", *TURNS, "--players", 3, "--replay", replay)
        == 0
    )
    assert seats(replay) == ["house:ring", "house:random", "house:greedy"], "the weakest first"
    assert decode(replay.read_bytes())[0]["options"] == {"fill": "2020", "turns": 2}
    assert banzuke("play", "puyo", "--ruleset", "smash_the_code", "--players", 2, "--replay", replay) == 0
    assert seats(replay) == ["house:scatter", "house:smasher"]
    assert banzuke("tui", "wondev_woman", "house:random", "house:random", "--ruleset", "league0", "--text") == 0


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            "puyo house:random house:random --ruleset fever",
            "Puyo Puyo has no ruleset 'fever'; choose one of: tsu, smash",
        ),
        ("puyo house:random --ruleset tsu", "Puyo Puyo with the ruleset tsu is played by 2 players, not by 1.\n"),
        (
            "puyo house:random house:random --ruleset tsu --option ruleset=tsu",
            "The option ruleset is part of the rules",
        ),
        (
            "kakomimasu house:ring house:ring --ruleset 2020 --option turns=0",
            "The number of turns must lie between 1 and",
        ),
        ("kakomimasu house:ring house:ring --players 1", "--players 1 is less than the 2 bots that you name: leave it"),
        (
            "kakomimasu house:ring --players 3 --option colour=red",
            "A match cannot be played: These options do not fit: ",
        ),
        ("back_to_the_code --players 2 --option width=9", "No house bot of Back to the Code can play this: name a bot"),
        (
            "kakomimasu --players 7 --ruleset 2020",
            "Kakomimasu with the ruleset 2020 is played by 2, 3 or 4 players, not",
        ),
    ],
)
def test_what_cannot_be_played_is_a_sentence(words: str, sentence: str, refusal: Refusal) -> None:
    assert refusal("play", *words.split()).startswith(sentence)


def test_a_replay_brings_its_ruleset(banzuke: Run, refusal: Refusal, tmp_path: Path) -> None:
    replay = tmp_path / "match.replay"
    assert banzuke("play", "kakomimasu", "house:ring", "house:ring", *TURNS, "--replay", replay) == 0
    assert "leave --ruleset out" in refusal("play", "--from", replay, "house:ring", "house:ring", "--ruleset", "2020")


def test_a_league_leaves_out_house_bots_that_cannot_play_its_ruleset(
    banzuke: Run, refusal: Refusal, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once all of them took part, and crashed in each match."""
    (tmp_path / "guesser.py").write_text(GUESSER.format(lines=34))
    league = ("league", "puyo", tmp_path, "--house", "--strict", "--seeds", 1)
    assert banzuke(*league, "--ruleset", "smash_the_code") == 0
    told = capsys.readouterr()
    assert "house:beam cannot play this: it does not take part." in told.err
    assert {name for match in results(tmp_path / "league-puyo.jsonl") for name in match.bots} == {
        "guesser.py",
        "house:scatter",
        "house:smasher",
    }
    assert "6 matches." in told.out
    assert banzuke(*league, "--ruleset", "smash_the_code_contest") == 1, "a bot for the other protocol"
    assert "--option ruleset=smash_the_code_contest" in capsys.readouterr().out, "how to see why"
    assert "can play this: leave --house out" in refusal("league", "back_to_the_code", "--house", "--option", "width=9")


def test_numbers_among_the_options_are_part_of_the_command_that_shows_a_fault(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dies.py").write_text("input()\n")
    (tmp_path / "waits.py").write_text("while True: input()\n")
    words = ("--ruleset", "league0", "--option", "symmetric=true", "--seeds", 1)
    assert banzuke("league", "wondev_woman", tmp_path, *words) == 0
    assert "--option league=0 --option symmetric=true" in capsys.readouterr().out


def test_sprt_is_played_by_a_ruleset(banzuke: Run, refusal: Refusal, tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / f"{name}.py").write_text(f"# {name}\n{GUESSER.format(lines=32)}")
    log, bots = tmp_path / "log.jsonl", (tmp_path / "one.py", tmp_path / "other.py")
    words = ("--ruleset", "smash_the_code_contest", "--games-max", 2, "--log", log)
    assert banzuke("sprt", "puyo", *bots, *words) == 1
    assert all(match.options == {"ruleset": "smash_the_code_contest"} for match in results(log))
    assert "has no ruleset 'fever'" in refusal("sprt", "puyo", *bots, "--ruleset", "fever")
