"""``banzuke play``, ``verify`` and ``judge`` with rock, paper, scissors, and in a process."""

from __future__ import annotations

import io
import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from banzuke.commands import main
from banzuke.signals import ending_signals
from banzuke.text import table
from core.replay import decode, encode
from games.replays import verify

pytestmark = pytest.mark.usefixtures("rps")

ROCK = "sh -c 'read you; while read round; do echo rock; done'"
PAPER = ROCK.replace("rock", "paper")


def run(*argv: str) -> int:
    """Return the exit status of a command."""
    try:
        return main(argv)
    except SystemExit as error:
        return int(error.code or 0)


@pytest.fixture
def replay(tmp_path: Path) -> Path:
    path = tmp_path / "match.replay"
    assert run("play", "rps", ROCK, PAPER, "--seed", "4", "--replay", str(path)) == 0
    return path


@pytest.mark.parametrize("argv", [(), ("-x",), ("--", "play")])
def test_a_command_is_asked_for(argv: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*argv) == 2
    assert "the following arguments are required: COMMAND" in capsys.readouterr().err


def test_words_may_stand_behind_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "rps", "--seed", "4", ROCK, "--option", "rounds=1", "--", PAPER) == 0
    text = capsys.readouterr().out
    assert "seed 4. No sandbox" in text
    assert text.index(f"seat 1: {PAPER}") < text.index(f"seat 0: {ROCK}")


def test_play_draws_a_seed_and_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    seeds = set()
    for _ in range(2):
        assert run("play", "rps", ROCK, PAPER) == 0
        seeds.add(capsys.readouterr().out.split("seed ")[1].split(".")[0])
    assert len(seeds) == 2


def test_play_writes_a_replay_with_seed_options_and_commands(tmp_path: Path) -> None:
    path = tmp_path / "match.replay"
    assert run("play", "rps", ROCK, PAPER, "--seed", "4", "--option", "rounds=2", "--replay", str(path)) == 0
    verify(path.read_bytes())
    header, *_, footer = decode(path.read_bytes())
    assert (header["seed"], header["options"], footer["turns"]) == (4, {"rounds": "2"}, 2)
    assert [seat["name"] for seat in header["seats"]] == [ROCK, PAPER]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_play_reads_an_option_from_a_file(tmp_path: Path, encoding: str) -> None:
    option, path = tmp_path / "rounds.json", tmp_path / "match.replay"
    option.write_text("5", encoding=encoding)
    assert run("play", "rps", ROCK, PAPER, "--option", f"rounds=@{option}", "--replay", str(path)) == 0
    assert decode(path.read_bytes())[-1]["turns"] == 5


def test_play_shows_every_frame_when_watched(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "rps", ROCK, PAPER, "--watch") == 0
    text = capsys.readouterr().out
    assert [f"turn: {turn}\n" in text for turn in range(5)] == [True, True, True, True, False]
    assert text.count(" wins: 3 points to 0 by ") == 1


def test_play_shows_a_fault_with_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", "rps", ROCK, "sh -c 'printf \"oh \\033[31mno\" >&2; exit 2'") == 0
    text = capsys.readouterr().out
    assert "Seat 1, turn 1, crashed: It ended with exit code 2 before it had answered." in text
    assert "oh \\x1b[31mno" in text


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ((ROCK, "/no/such/bot"), "There is no file or folder /no/such/bot."),
        ((ROCK,), "It takes 2 or 3."),
        ((ROCK, PAPER, "--option", "rounds=many"), "do not fit"),
        ((ROCK, PAPER, "--option", "rounds"), "is not NAME=VALUE"),
        ((ROCK, PAPER, "--option", "rounds=@/no/such/file"), "cannot be read"),
        ((ROCK, PAPER, "--seed", "-1"), "at least 0"),
        ((ROCK, PAPER, "--seed", "x"), "'x' is no whole number"),
        ((ROCK, PAPER, "--option", "rounds=\udcff"), "do not fit"),  # a byte that is not UTF-8
        ((ROCK, PAPER, "--replay", "/no/such/folder/x"), "cannot be written"),
    ],
)
def test_play_refuses_invalid_arguments(
    capsys: pytest.CaptureFixture[str], argv: tuple[str, ...], sentence: str
) -> None:
    assert run("play", "rps", *argv) == 2
    assert sentence in capsys.readouterr().err


def test_play_says_that_a_match_is_too_long_for_a_replay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("core.replay.LINES_MAX", 3)
    path = tmp_path / "match.replay"
    assert run("play", "rps", ROCK, PAPER, "--option", "rounds=2", "--replay", str(path)) == 2
    reported = capsys.readouterr()
    assert "The match ended after 2 turns." in reported.out
    assert reported.err.endswith("in 4 lines, more than a replay may have.\n")
    assert not path.exists()


def test_play_from_a_replay_comes_out_the_same(
    replay: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    again = tmp_path / "again.replay"
    assert run("play", "--from", str(replay), ROCK, PAPER, "--replay", str(again)) == 0
    text = capsys.readouterr().out
    assert f"seat 1: {PAPER}\n" in text
    assert "seed 4." in text
    header, *_, footer = decode(replay.read_bytes())
    assert f"It came out the same: both hashes are {footer['hash']}." in text
    assert decode(again.read_bytes())[0] == header
    assert run("play", "--from", str(replay), PAPER, ROCK) == 0
    text = capsys.readouterr().out
    assert "It came out differently." in text
    assert f"hash then: {footer['hash']}" in text


def test_play_from_a_replay_refuses_invalid_arguments(
    replay: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text").write_text("hello")
    for argv, sentence in (
        ((str(replay), ROCK), "The replay has 2 seats: give a command for each, in their order."),
        ((str(replay), ROCK, PAPER, "--seed", "4"), "leave --seed and --option out"),
        ((str(replay), ROCK, PAPER, "--option", "rounds=2"), "leave --seed and --option out"),
        ((str(tmp_path / "text"), ROCK, PAPER), "no zstandard file"),
        ((str(tmp_path / "none"), ROCK, PAPER), "cannot be read: No such file or directory."),
    ):
        assert run("play", "--from", *argv) == 2
        assert sentence in capsys.readouterr().err
    monkeypatch.setattr("tests.core.toy.RockPaperScissors.rules_version", "2")
    assert run("play", "--from", str(replay), ROCK, PAPER) == 2
    assert "only version 2 can be played here" in capsys.readouterr().err
    assert run("verify", str(replay)) == 1
    assert "version 1 of the rules of Rock, paper, scissors; only version 2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("argv", "reported"),
    [((), "Name a game and a command for each seat"), (("chess", ROCK, PAPER), "There is no game 'chess'")],
)
def test_play_names_the_games(argv: tuple[str, ...], reported: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("play", *argv) == 2
    assert f"{reported}; choose one of: attack25, " in capsys.readouterr().err


def test_verify_tells_good_replays_from_bad_ones(
    replay: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("verify", str(replay), str(replay)) == 0
    assert capsys.readouterr().out.endswith(f"{replay}: in order.\n" * 2)
    records = decode(replay.read_bytes())
    records[-1]["ranks"] = [1, 2]
    forged = tmp_path / "forged.replay"
    forged.write_bytes(encode(records))
    (tmp_path / "text").write_text("hello")
    assert run("verify", str(forged), str(replay), str(tmp_path / "text"), str(tmp_path / "none")) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{forged}: The footer is not what the rules make of the answers: ranks."
    assert lines[1].endswith("in order.")
    assert "no zstandard file" in lines[2]
    assert lines[3].endswith("cannot be read: No such file or directory.")


def test_judge_answers_line_by_line_and_goes_on_after_errors(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    lines = [
        b'{"op":"beats","hand":2}',
        b'{"op":"what"}',
        b"",
        b"broken",
        b"[1]",
        b'{"op":"beats","hand":"x"}',
        b"\xff",
        b'{"op":"\xff"}',
        b'{"a":' * 100_000,
        b'{"op":"beats","hand":1}',
    ]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\n".join(lines))))
    assert run("judge", "rps") == 0
    answers = [json.loads(line) for line in capsysbinary.readouterr().out.splitlines()]
    assert len(answers) == len(lines) - 1
    assert (answers[0], answers[-1]) == ({"beats": 1}, {"beats": 0})
    assert answers[1] == {"error": "The request is not understood: The only op is beats."}
    assert all(list(answer) == ["error"] for answer in answers[1:-1])


@pytest.mark.parametrize("form", [(), ("--text",)])
def test_judge_says_that_standard_input_is_closed(
    form: tuple[str, ...], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # so does Python for `<&-`
    assert run("judge", "attack25", *form) == 2
    assert capsys.readouterr().err == "Standard input is closed, but the questions are read from there.\n"


def test_judge_answers_one_question_as_text(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, status, reported in [
        (b"R,13\nB,8\n", 0, "R,3\nB,18\n"),
        (b"R,13\nB,13\n", 2, "The request is not understood: Panel 13 is claimed by R and B.\n"),
        (b"\xff", 2, "The request is not understood: 'utf-8' codec can't decode"),
    ]:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
        assert run("judge", "attack25", "--text") == status
        output = capsys.readouterr()
        assert (output.err if status else output.out).startswith(reported)
    assert run("judge", "rps", "--text") == 2
    assert "by JSON lines only" in capsys.readouterr().err


def test_a_table_has_straight_columns() -> None:
    assert table([("a", "bb"), ("ccc", "d")]) == "a    bb\nccc   d"
    assert table([("囲み", "bb"), ("ccccc", "d")]) == "囲み   bb\nccccc   d", "these signs take two columns each"


@pytest.mark.parametrize("option", ["-B", "-OO"])
def test_python_m_banzuke_runs(option: str) -> None:
    done = subprocess.run(
        [sys.executable, option, "-m", "banzuke", "play", "chess", "x"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert "There is no game 'chess'" in done.stderr


@pytest.fixture
def judge() -> Iterator[subprocess.Popen[bytes]]:
    """Start a judge, which waits for questions."""
    # In the background of a script, processes started by these tests would ignore interrupts.
    argv = ["env", "--default-signal=INT", sys.executable, "-m", "banzuke", "judge", "kakomimasu"]
    pipe = subprocess.PIPE
    with subprocess.Popen(argv, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        yield process


def test_an_interrupt_ends_the_judge_without_a_traceback(judge: subprocess.Popen[bytes]) -> None:
    assert judge.stdin
    assert judge.stdout
    assert judge.stderr
    judge.stdin.write(b"{}\n")
    judge.stdin.flush()
    assert b"error" in judge.stdout.readline()
    judge.send_signal(signal.SIGINT)
    assert judge.stderr.read() == b""
    assert judge.wait() == 130


def test_a_closed_pipe_ends_the_judge_without_a_traceback(judge: subprocess.Popen[bytes]) -> None:
    assert judge.stdout
    judge.stdout.close()
    _, reported = judge.communicate(b"{}\n")
    assert (reported, judge.returncode) == (b"", 141)


def test_a_full_disk_is_a_sentence(judge: subprocess.Popen[bytes]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(judge.args, input=b"{}\n", stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"The disk is full: free some space, and type the command again.\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_bots_too(number: signal.Signals, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    bot = f"sh -c 'read question; exec 3>{begun}; echo >&3; while :; do :; done'"
    argv = [sys.executable, "-m", "banzuke", "play", "kakomimasu", bot, "sleep 1000"]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL) as play, begun.open("rb") as heard:
        assert heard.read(1) == b"\n"
        play.send_signal(number)
        assert play.wait() == 128 + number
        assert select.select([heard], [], [], 30)[0], "it does not hold its end open any more"


def test_nohup_is_respected() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        assert ending_signals() == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGHUP, before)
    assert ending_signals() == [signal.SIGTERM, signal.SIGHUP]


GREEDY = """
others = int(input())
while True:
    input()
    x, y, _ = map(int, input().split())
    for _ in range(others):
        input()
    free = [(u, v) for v in range(4) for u, owner in enumerate(input()) if owner == "."]
    u, v = min(free, key=lambda cell: abs(cell[0] - x) + abs(cell[1] - y))
    print(u, v, flush=True)
"""


def test_a_bot_that_dies_on_a_full_board_is_not_at_fault(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(tmp_path, "bot.py").write_text(GREEDY)
    bot = f"{sys.executable} {tmp_path}/bot.py"
    options = ("--option", "width=5", "--option", "height=4")
    assert run("play", "back_to_the_code", bot, bot, "--seed", "1", *options, "--replay", f"{tmp_path}/r.replay") == 0
    assert "crashed" not in capsys.readouterr().out
    records = decode(Path(tmp_path, "r.replay").read_bytes())
    assert records[-1]["faults"] == [None, None]
    assert [seat["answer"] for seat in records[-2]["seats"]] == [[], []]
