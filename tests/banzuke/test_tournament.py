"""Tournaments at home: all formats with real matches, kept so that they go on after any interruption."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from banzuke.replays import replay_write
from banzuke.text import UserError
from banzuke.tournament import Course, Fixture, Plan
from core.replay import decode
from formats.model import Entrant, Format, Stage
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import GAME, SMALL, bot, results
from tests.formats.trf_reading import trf_read
from tests.tournaments.undisturbed import Undisturbed, ranks_of

pytestmark = pytest.mark.test_all

CELLS = ("0 0", "3 1", "1 4", "5 5", "2 2", "4 0")
"""Where the bots put their first agent: what that is worth depends on the board."""


@pytest.fixture
def field(tmp_path: Path) -> list[Path]:
    """Return six bots that play differently, and the same on the same board."""
    return [bot(tmp_path / "bots", f"bot{number}", answer=f"PUT {cell}") for number, cell in enumerate(CELLS, 1)]


class Played:
    """What a command printed and kept."""

    def __init__(self, out: Path, printed: str) -> None:
        self.printed = printed
        self.lines = (out / "results.jsonl").read_bytes().splitlines(keepends=True)
        self.results = {found.key: found for found in results(out / "results.jsonl")}
        self.replays = {path.name for path in (out / "replays").iterdir()}


Play = Callable[..., Played]


@pytest.fixture
def play(banzuke: Run, field: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Play:
    """Return a function that plays a tournament to its end in a folder."""

    def played(*options: object, bots: int = len(CELLS), out: Path = tmp_path / "out") -> Played:
        assert banzuke("tournament", GAME, *field[:bots], *SMALL, *options, "--out", out, "--parallel", 1) == 0
        return Played(out, capsys.readouterr().out)

    return played


SWISS = ("--format", "swiss", "--rounds", 3)


def test_a_swiss_tournament_prints_rounds_standings_and_places(play: Play, tmp_path: Path) -> None:
    first = play(*SWISS, bots=5)
    assert len(first.lines) == len(first.replays) == 3 * 2 * 2
    assert re.findall(r"^Swiss, .*", first.printed, re.MULTILINE) == [
        *(f"Swiss, round {number}" for number in (1, 2, 3)),
        "Swiss, standings",
    ]
    assert first.printed.count("has a bye") == 3
    _, _, places = first.printed.partition("Places\n")
    assert sorted(line.split()[1] for line in places.splitlines()[:5]) == [f"bot{number}.py" for number in range(1, 6)]
    assert "12 matches." in places
    seats = decode((tmp_path / "out" / "replays" / "stage1_round1_table1_match2.replay").read_bytes())[0]["seats"]
    assert len(seats) == 2
    entrants, decided = trf_read((tmp_path / "out" / "stage1.trf").read_text())
    assert [entrant.name for entrant in entrants] == [f"bot{number}.py" for number in range(1, 6)]
    assert len(decided) == 3 * 3, "tables and byes"
    # All has been played: the same command plays nothing and prints the same.
    assert play(*SWISS, bots=5).printed == first.printed
    assert len((tmp_path / "out" / "results.jsonl").read_bytes().splitlines()) == len(first.lines)


@pytest.mark.parametrize(
    ("options", "bots", "tables"),
    [
        (["--format", "round_robin", "--groups", 2, "--cycles", 2], 4, 4),
        (["--format", "single_elimination", "--third-place"], 4, 4),
        (["--format", "double_elimination"], 3, 4),
        (["--format", "round_robin", "--table-size", 3], 3, 1),
    ],
)
def test_all_formats_are_played_to_the_end(options: list[object], bots: int, tables: int, play: Play) -> None:
    played = play(*options, bots=bots)
    met = {re.sub("_match.*", "", name) for name in played.replays}
    assert len(met) in ((tables, tables + 1) if "double_elimination" in options else (tables,))
    _, _, places = played.printed.partition("Places\n")
    assert len(re.findall(r"^\d+ +bot\d.py$", places, re.MULTILINE)) == bots


def test_stages_follow_each_other(play: Play, tmp_path: Path) -> None:
    stages = tmp_path / "stages.json"
    stages.write_text(
        '[{"format": "round_robin", "groups": 2, "goes_on": 2}, {"format": "single_elimination", "best_of": 3}]'
    )
    printed = play("--stages", stages, bots=4).printed
    assert "Stage 1: Round robin, standings\ngroup A" in printed
    assert "Stage 2: Single elimination, round 1" in printed
    assert {path.name for path in (tmp_path / "out").glob("*.trf")} == {"stage1_A.trf", "stage1_B.trf"}


def test_it_goes_on_wherever_it_was_killed(play: Play, tmp_path: Path) -> None:
    """The results are only appended to: what a kill leaves is a beginning of that file, perhaps with a torn line."""
    options = ("--format", "double_elimination", "--best-of", 2)
    whole = play(*options, bots=3)
    for lines, torn in ((0, 1), (5, 0), (len(whole.lines) - 2, 60)):
        out = tmp_path / f"killed{lines}"
        out.mkdir()
        (out / "tournament.json").write_bytes((tmp_path / "out" / "tournament.json").read_bytes())
        (out / "results.jsonl").write_bytes(b"".join(whole.lines[:lines]) + whole.lines[lines][:torn])
        again = play(*options, bots=3, out=out)
        assert again.printed == whole.printed
        assert again.results == whole.results
        assert len(again.lines) == len(whole.lines), "no match was played twice"


@pytest.mark.parametrize(
    "stages",
    [
        (Stage(Format.SWISS, rounds=5, best_of=2),),
        (Stage(Format.DOUBLE_ELIMINATION, best_of=3),),
        (Stage(Format.ROUND_ROBIN, groups=2, goes_on=5), Stage(Format.SINGLE_ELIMINATION, third_place=True)),
    ],
    ids=["swiss", "double elimination", "chain"],
)
def test_it_plays_what_the_arena_plays(stages: tuple[Stage, ...]) -> None:
    """In whatever order results come. tests/tournaments compares the arena's steps with the same model."""
    entrants = tuple(Entrant(number, f"Bot {number}") for number in range(1, 12))
    model = Undisturbed(stages, entrants, lots=7)
    model.play()
    course, waiting = Course(Plan(stages, entrants, 7, (2,))), list[Fixture]()
    dice = Random(3)  # noqa: S311 - the order of results
    while course.draw:
        waiting += course.take()
        fixture = waiting.pop(dice.randrange(len(waiting)))
        names = [entrants[number - 1].name for number in fixture.seats]
        course.record(fixture, tuple(ranks_of(seed=fixture.seed, names=names)))
    assert course.decided == model.decided


def test_kill_and_ctrl_c_lose_nothing(play: Play, field: list[Path], tmp_path: Path) -> None:
    whole = play(*SWISS, bots=4)
    out = tmp_path / "disturbed"
    command = ["tournament", GAME, *map(str, field[:4]), *SMALL, *map(str, SWISS), "--out", str(out), "--parallel", "1"]
    for number, line in ((signal.SIGKILL, "Swiss, round 1\n"), (signal.SIGINT, "Swiss, round 2\n")):
        argv = [sys.executable, "-m", "banzuke", *command]
        with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
            assert running.stdout
            while running.stdout.readline() != line:
                assert running.poll() is None
            running.send_signal(number)
            printed, told = running.communicate()
    assert running.returncode == 130
    assert "Ending after the matches under way" in told
    assert "The same command goes on where it has stopped." in printed
    kept = (out / "results.jsonl").read_bytes()
    assert 8 <= kept.count(b"\n") < len(whole.lines)
    again = play(*SWISS, bots=4, out=out)
    assert (out / "results.jsonl").read_bytes().startswith(kept)
    assert (again.printed, again.results, again.replays) == (whole.printed, whole.results, whole.replays)


def test_without_a_folder_ctrl_c_mentions_the_option(
    banzuke: Run, field: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("banzuke.commands.tournament.matches_played", lambda *_, **__: iter(()))
    assert banzuke("tournament", GAME, *field, *SMALL, *SWISS) == 130
    assert "None of these matches is kept: add --out DIR." in capsys.readouterr().out


def test_a_bot_at_fault_in_every_match_loses_them_and_is_named(
    banzuke: Run, field: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    crashing = tmp_path / "crashing.py"
    crashing.write_text("raise SystemExit(3)\n")
    assert banzuke("tournament", GAME, crashing, field[0], *SMALL, "--format", "round_robin") == 0
    printed = capsys.readouterr().out
    assert re.search(r"^2 +crashing.py$", printed, re.MULTILINE)
    assert "crashing.py was at fault in 2 of 2 matches, the last time by: crashed." in printed


def test_tables_of_four_are_played_where_the_game_has_them(
    banzuke: Run, refusal: Refusal, capsys: pytest.CaptureFixture[str]
) -> None:
    bots = [f"house:{name}" for name in ("recar", "greedy", "random", "olaf69")]
    command = ("back_to_the_code", *bots, "--option", "rounds=10", "--format", "swiss", "--rounds", 1)
    assert banzuke("tournament", *command, "--table-size", 4) == 0
    assert "4 matches." in capsys.readouterr().out
    two = ("wondev_woman", "house:random", "house:one_ply", "house:climber", "--format", "round_robin")
    assert "has tables of 3, which this contest's game cannot play: choose 2." in refusal(
        "tournament", *two, "--table-size", 3
    )


def test_a_full_disk_is_no_fault_of_a_bot(tmp_path: Path) -> None:
    (tmp_path / "match.replay.new").symlink_to("/dev/full")
    with pytest.raises(UserError, match=r"match\.replay cannot be written: No space left on device\.$"):
        replay_write(tmp_path / "match.replay", [{"turn": 1}])
    assert not (tmp_path / "match.replay").exists()


def test_a_folder_holds_one_tournament(play: Play, field: list[Path], refusal: Refusal, tmp_path: Path) -> None:
    before = play("--format", "round_robin", bots=2).lines
    first, second = field[:2]
    robin = ("--format", "round_robin")
    for words, sentence in [
        ((first, second, *robin, "--cycles", 2), "holds a tournament with another format: name another folder by"),
        ((first, second, *robin, "--seed", 1), "with another --seed"),
        ((first, second, *robin, "--option", "turns=3"), "with another ruleset or other options"),
        ((second, first, *robin), "with other bots, or the same in another order"),
    ]:
        assert sentence in refusal("tournament", GAME, *SMALL, *words, "--out", tmp_path / "out")
    first.write_text(first.read_text() + "# changed\n")
    changed = refusal("tournament", GAME, *SMALL, first, second, *robin, "--out", tmp_path / "out")
    assert "holds a tournament with bots that have been changed since" in changed
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == b"".join(before)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("house:ring house:rings", "Say how the bots meet: --format is one of round_robin, swiss, single_eli"),
        ("house:ring house:rings --format swiss --stages no.json", "leave --format out"),
        ("house:ring house:rings --stages no.json", "no.json cannot be read: No such file or directory."),
        (f"house:ring house:rings --stages {__file__}", "is no JSON of a list of stages: "),
        ("house:ring house:rings --format knockout", "invalid Format value: 'knockout'"),
        ("house:ring house:rings --format swiss --tie-breaks luck", "'luck' is not a valid TieBreak; choose from: "),
        ("house:ring house:ring --format round_robin", "are the same program: take one of them out."),
        ("house:ring house:nobody --format round_robin", "There is no house bot 'house:nobody'; there are: "),
        ("house:ring house:rings --format round_robin --ruleset no", "Kakomimasu has no ruleset 'no'; choose one of"),
        ("house:ring house:rings --format round_robin --option colour=red", "A match cannot be played: "),
        (f"house:ring house:rings --format round_robin --out {__file__}", "Name another folder by --out."),
    ],
)
def test_an_impossible_tournament_is_a_sentence(words: str, sentence: str, refusal: Refusal) -> None:
    assert sentence in refusal("tournament", GAME, *words.split())
