"""Leagues at home: which matches are played, logged and reported; much of it holds for sprt, too."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from banzuke.bots import Bot, bot_ready
from banzuke.commands import league
from banzuke.commands.league import status_of, tables
from banzuke.pool import Setting, results_known
from banzuke.results import Result, ResultLog, result_log_opened
from banzuke.standing import meetings, opponents_text, standing, standing_text
from banzuke.text import UserError
from games.registry import game_named
from tests.banzuke.conftest import Refusal, Run
from tests.banzuke.makers import GAME, SMALL, bot, result, results
from tests.waiting import ends

pytestmark = pytest.mark.test_all


def test_every_bot_plays_on_every_seat_of_a_board() -> None:
    assert tables(3, 2) == [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    assert len(tables(5, 4)) == 5 * 4


def test_standing_counts_points_matches_and_faults() -> None:
    bots = [Bot(name, name, "") for name in "abc"]
    played = [result("a", "b", ranks=(1, 2)), result("b", "a", ranks=(1, 1)), result("c", "a", ranks=(2, 1))]
    played.append(result("a", "b", ranks=(1, 2), faults=(None, "time")))
    rows = standing(bots, played, {})
    counts = {row.name: (row.points, row.meetings, row.matches, row.faults) for row in rows}
    assert counts == {"a": (3.5, 4, 4, 0), "b": (0.5, 3, 3, 1), "c": (0, 1, 1, 0)}
    assert rows[0].name == "a"
    assert all(row.interval > 0 for row in rows)


def test_a_fault_of_a_house_bot_is_the_exit_code() -> None:
    bots = [Bot(name, name, "") for name in ("mine", "house:x")]
    for faults, status in (((None, "time"), 1), (("time", None), 0), ((None, None), 0)):
        played = [result("mine", "house:x", ranks=(1, 2), faults=faults)]
        assert status_of(standing(bots, played, {})) == status


def test_a_match_of_three_is_a_meeting_of_each_pair() -> None:
    pairs = meetings([result("a", "b", "c", ranks=(1, 2, 2))])
    assert (pairs["a", "b"], pairs["b", "c"], pairs["c", "a"]) == ([1.0], [0.5], [0.0])


def test_declared_ratings_hold_the_scale() -> None:
    bots = [Bot(name, name, "") for name in ("mine", "house:x")]
    played = [result("mine", "house:x", ranks=(1, 2)), result("house:x", "mine", ranks=(1, 2))]
    rows = {row.name: row.rating for row in standing(bots, played, {"house:x": 1234})}
    assert rows == pytest.approx({"mine": 1234, "house:x": 1234}, abs=0.5)


def test_the_tables_read_well() -> None:
    bots = [Bot(name, name, "") for name in "ab"]
    played = [result("a", "b", ranks=(1, 2))]
    rows = standing(bots, played, {})
    assert "100.0 %" in standing_text(rows).splitlines()[1]
    assert opponents_text(bots, rows, played).splitlines()[1:] == [
        "1 a                  -  100",
        "2 b                  0    -",
    ]


def test_a_league_prints_ratings_and_opponents(banzuke: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert banzuke("league", GAME, folder, "--seeds", 1, *SMALL) == 0
    out = capsys.readouterr().out
    assert "6 matches." in out
    assert "% of points against" in out
    played = results(folder / f"league-{GAME}.jsonl")
    assert {(match.seed, tuple(match.bots)) for match in played} == {
        (0, (one, other))
        for one in ("idle.py", "idler.py", "taker.py")
        for other in ("idle.py", "idler.py", "taker.py")
        if one != other
    }
    # The same command has nothing left to do; a changed bot begins anew, the matches of the others stand.
    assert banzuke("league", GAME, folder, "--seeds", 1, *SMALL) == 0
    assert results(folder / f"league-{GAME}.jsonl") == played
    bot(folder, "taker", answer="PUT 1 1")
    assert banzuke("league", GAME, folder, "--seeds", 1, *SMALL) == 0
    assert len(results(folder / f"league-{GAME}.jsonl")) == 6 + 4


BOTH = pytest.mark.parametrize(
    "argv", [["league", GAME, ".", "--seeds", 1], ["sprt", GAME, "taker.py", "idle.py", "--games-max", 2]]
)


@pytest.mark.parametrize(
    "argv", [["league", GAME, ".", "--seeds", 1], ["sprt", GAME, "./-taker.py", "idle.py", "--games-max", 2]]
)
def test_a_bot_at_fault_is_named_with_a_match_to_look_at(
    argv: list[object], banzuke: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In the table, a bot that crashes in every match only looks weak; the dash must not be taken for an option."""
    monkeypatch.chdir(folder)
    (folder / "idler.py").unlink()
    (folder / "taker.py").unlink()
    bot(folder, "-taker", answer="TAKE 0 0")
    # One match at a time: otherwise sprt plays others while the process of the first is still starting.
    banzuke(*argv, *SMALL, "--first-seed", 7, "--parallel", 1, "--log", "log")
    assert [match.seed for match in results(Path("log"))] == [7, 7]
    reported = capsys.readouterr().out
    assert "-taker.py was at fault in 2 of 2 matches, the last time by: illegal answer." in reported
    assert "idle.py was at fault" not in reported
    (again,) = re.findall("To see why: banzuke (.*)", reported)
    assert banzuke(*shlex.split(again)) == 0
    assert "illegal answer: " in capsys.readouterr().out


def test_strict_asks_for_no_fault_of_any_bot(banzuke: Run, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ("league", GAME, folder, "--seeds", 1, *SMALL)
    assert banzuke(*command, "--strict") == 0
    bot(folder, "wrong", answer="%%%")
    assert banzuke(*command) == 0
    assert banzuke(*command, "--strict") == 1
    (folder / "wrong.py").write_text("while\n")
    capsys.readouterr()
    assert banzuke(*command) == 0
    reported = capsys.readouterr()
    assert "wrong.py is no valid Python 3" in reported.err
    assert "6 matches." in reported.out
    assert banzuke(*command, "--strict") == 1


def test_kits_of_other_games_are_named_and_left_out(
    banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in (GAME, "puyo"):
        assert banzuke("new", game, "python", tmp_path / f"{game}_python") == 0
    bot(tmp_path, "idle")
    assert banzuke("league", GAME, tmp_path, "--seeds", 1, *SMALL, "--strict") == 0
    reported = capsys.readouterr()
    assert f"{tmp_path}/puyo_python is a bot for puyo: it does not take part.\n" in reported.err
    assert "2 matches." in reported.out


def test_a_bot_is_no_folder_of_bots(banzuke: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kit = tmp_path / "mine"
    assert banzuke("new", GAME, "python", kit) == 0
    assert banzuke("league", GAME, kit, "--house") == 2
    sentence = f"{kit} is a bot itself, not a folder of bots: give the folder that it lies in, {tmp_path}.\n"
    assert capsys.readouterr().err == sentence
    assert not list(kit.glob("league-*")), "nothing is written into a bot"


def test_wrong_options_are_a_sentence(refusal: Refusal, folder: Path) -> None:
    assert "A match cannot be played: " in refusal("league", GAME, folder, "--seeds", 1, "--option", "colour=red")


@pytest.mark.parametrize(
    ("argv", "sentence"),
    [
        ([], "there are 0 bots"),
        (["./no/such"], "There is no folder"),
        ([__file__], "There is no folder"),
        (["--players", "7"], "is not played by 7"),
        (["--seeds", "0"], "argument --seeds: it must be at least 1"),
        (["--parallel", "-1"], "argument --parallel: it must be at least 1"),
    ],
)
def test_an_impossible_league_is_a_sentence(argv: list[str], sentence: str, refusal: Refusal) -> None:
    assert sentence in refusal("league", GAME, *argv)


def test_links_to_bots_of_one_name_get_distinct_names(
    banzuke: Run, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    league_folder = tmp_path / "links"
    league_folder.mkdir()
    for version, name in (("v1", "taker.py"), ("v2", "idle.py")):
        (tmp_path / version / "bot").mkdir(parents=True)
        (folder / name).rename(tmp_path / version / "bot" / "main.py")
        (league_folder / version).symlink_to(tmp_path / version / "bot")
    assert banzuke("league", GAME, league_folder, "--seeds", 1, *SMALL) == 0
    out = capsys.readouterr().out
    assert {version for version in ("v1", "v2") if str(league_folder / version) in out} == {"v1", "v2"}
    assert re.search(r"2 \S+ +\d+ +-", out), "the table of opponents knows who met whom"


def test_two_bots_with_the_same_program_are_refused(refusal: Refusal, folder: Path) -> None:
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "main.py").write_text("print(0)\n")
    assert "one and two are the same program" in refusal("league", GAME, folder, "--seeds", 1)


def test_ctrl_c_keeps_all_finished_matches(folder: Path, tmp_path: Path) -> None:
    begun, heard = tmp_path / "begun", tmp_path / "heard"
    for fifo in (begun, heard):
        os.mkfifo(fifo)
    bot(folder, "taker", answer="PUT 0 0", begin=f"open({str(begun)!r}, 'w').write('x'); open({str(heard)!r}).read()")
    (folder / "idler.py").unlink()
    argv = [sys.executable, "-m", "banzuke", "league", GAME, str(folder), "--parallel", "1", *SMALL]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as league:
        for _ in range(2):
            begun.read_text()
            heard.write_text("go on")
        begun.read_text()  # the third match has begun: two have ended
        league.send_signal(signal.SIGINT)
        assert league.stderr
        while "Ending after the matches under way" not in league.stderr.readline():
            pass
        heard.write_text("go on")
        out, _ = league.communicate()
    assert league.returncode == 130
    assert len(results(folder / f"league-{GAME}.jsonl")) == 3
    assert "3 matches." in out


def test_ending_a_league_without_a_log_mentions_the_option(
    banzuke: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A league of house bots has no folder for a log."""
    both = [bot_ready(str(path), game=GAME, backend=None) for path in sorted(folder.iterdir())]
    monkeypatch.setattr(league, "_bots", lambda arguments, variant: (both, True))
    monkeypatch.setattr(league, "_play", lambda *_: True)
    for kept, is_mentioned in (([], True), (["--log", tmp_path / "kept.jsonl"], False)):
        assert banzuke("league", GAME, "--house", *kept) == 130
        assert ("add --log FILE" in capsys.readouterr().out) is is_mentioned


@pytest.mark.parametrize("signals", [[signal.SIGINT, signal.SIGINT], [signal.SIGTERM]], ids=["Ctrl-C twice", "end"])
def test_a_second_ctrl_c_or_sigterm_drops_running_matches(
    folder: Path, tmp_path: Path, signals: list[signal.Signals]
) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    tell = f"open({str(begun)!r}, 'w').write(str(__import__('os').getpid())); __import__('time').sleep(1000)"
    bot(folder, "taker", begin=tell)
    argv = [sys.executable, "-m", "banzuke", "league", GAME, str(folder), "--parallel", "1", *SMALL]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as league:
        taker = os.pidfd_open(int(begun.read_text()))
        *asked, last = signals
        for number in asked:
            league.send_signal(number)
            assert league.stderr
            while "Ending after" not in league.stderr.readline():
                pass
        league.send_signal(last)
        league.communicate()
    assert league.returncode == 130
    assert not any("taker.py" in match.bots for match in results(folder / f"league-{GAME}.jsonl"))
    assert ends(taker)


@BOTH
def test_the_table_is_printed_also_when_playing_fails(
    argv: list[object], banzuke: Run, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a log, the results would be lost otherwise; the same holds for a second Ctrl-C."""
    for trouble, status in ((UserError("No more."), 2), (KeyboardInterrupt(), 130)):

        def played(setting: Setting, *_: object, **__: object) -> Iterator[Result]:
            for seats in ((0, 1), (1, 0)):
                two = [setting.bots[number] for number in seats]
                rules = game_named(GAME).rules_version
                found = result(*(bot.digest for bot in two), ranks=(1, 1))
                yield msgspec.structs.replace(found, rules=rules, options=setting.options)
            raise trouble  # noqa: B023 - it is called in this round of the loop

        monkeypatch.chdir(folder)
        monkeypatch.setattr(f"banzuke.commands.{argv[0]}.matches_played", played)
        assert banzuke(*argv, "--games-max" if argv[0] == "sprt" else "--seeds", 9, "--log", f"log{status}") == status
        assert " 2 matches." in capsys.readouterr().out.replace("\n", " ")


def test_a_ctrl_c_reaches_no_process_that_is_still_starting(
    banzuke: Run, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal signals all processes; one that dies of it would be reported as killed for lack of memory."""
    at_once = "'--multiprocessing-fork' in sys.orig_argv and os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "sitecustomize.py").write_text(f"import os, signal, sys\n{at_once}\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=os.pathsep)
    (folder / "idler.py").unlink()
    assert banzuke("league", GAME, folder, "--seeds", 1, *SMALL) == 0
    assert len(results(folder / f"league-{GAME}.jsonl")) == 2


def test_a_league_that_is_killed_leaves_no_process_behind(folder: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    os.mkfifo(begun)
    pids = 'f\'{__import__("os").getpid()} {__import__("os").getppid()} \''  # two processes may append to the file
    bot(folder, "taker", begin=f"open({str(begun)!r}, 'w').write({pids}); __import__('time').sleep(1000)")
    argv = [sys.executable, "-m", "banzuke", "league", GAME, str(folder), "--parallel", "2", *SMALL]
    with subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as league:
        watched = [os.pidfd_open(int(pid)) for pid in begun.read_text().split()]
        league.kill()
    for process in watched:
        assert ends(process)


def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    with open("/dev/full", "ab", buffering=0) as file, pytest.raises(UserError, match="No space left on device"):
        ResultLog([], file).add(result("a", "b", ranks=(1, 2)))


def test_an_incomplete_last_line_is_removed(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with result_log_opened(path) as log:
        log.add(result("a", "b", ranks=(1, 2)))
    whole = path.read_bytes()
    path.write_bytes(whole + whole[:40])
    with result_log_opened(path) as log:
        assert log.results == [result("a", "b", ranks=(1, 2))]
        log.add(result("b", "a", ranks=(1, 2)))
    assert len(results(path)) == 2


def test_an_unwritable_log_is_a_sentence_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"Is a directory\. Name another file by --log\.$"), result_log_opened(tmp_path):
        pass


def test_results_may_be_kept_in_memory() -> None:
    with result_log_opened(Path("/dev/null")) as log:
        log.add(result("a", "b", ranks=(1, 2)))


def test_a_file_that_is_no_log_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "main.py"
    path.write_text("import sys\nprint(3)\n")
    with pytest.raises(UserError, match=r"Line 1 of .* is no result"), result_log_opened(path):
        pass
    assert path.read_text() == "import sys\nprint(3)\n"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("ranks", [1], "`bots` must be 1, one a rank"),
        ("ranks", [2, 3], "`ranks` must be whole numbers from 1 to 2, the best of them 1"),
        ("faults", [], "`faults` must be 2, one a rank"),
        ("scores", [0.0, "NaN"], r"\$\.scores\[1\]"),
    ],
)
def test_an_invalid_result_is_named(tmp_path: Path, field: str, value: list[object], sentence: str) -> None:
    path = tmp_path / "log"
    changed = msgspec.to_builtins(result("a", "b", ranks=(1, 2))) | {field: value}
    path.write_bytes(msgspec.json.encode(changed) + b"\n")
    with pytest.raises(UserError, match=f"Line 1 of .* is no result .*{sentence}"), result_log_opened(path):
        pass


def test_two_commands_cannot_use_one_log(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with result_log_opened(path) as log:
        with pytest.raises(UserError, match="Another command keeps its results in"), result_log_opened(path):
            pass
        log.add(result("a", "b", ranks=(1, 2)))
    assert len(results(path)) == 1


def test_results_of_other_rules_options_and_bots_do_not_count(tmp_path: Path) -> None:
    one = result("a", "b", ranks=(1, 2))
    others = [
        msgspec.structs.replace(one, **change) for change in ({"rules": "2"}, {"options": {"x": 1}}, {"game": "puyo"})
    ]
    with result_log_opened(tmp_path / "log") as log:
        for found in (one, *others, result("a", "c", ranks=(1, 2))):
            log.add(found)
        assert results_known(Setting(GAME, {}, (Bot("a", "a", ""), Bot("b", "b", "")), None), log) == [one]
