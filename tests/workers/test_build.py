"""Builds from end to end: real files over real HTTP, the real sandbox, the real game."""

from __future__ import annotations

import io
import tarfile
from unittest.mock import Mock

import msgspec
import pytest

from core.replay import decode
from games.kits import kit_files
from games.registry import game_named
from games.replays import verify
from sandbox import languages
from tests.banzuke.makers import MUMBLER
from tests.words import english
from tests.workers.conftest import GOOD_BOT, FileSite, build_job, seat_program
from wire.jobs import RULES, BotLimits, BuildReport, SeatProgram
from wire.turnlog import unpack
from workers.build import Step, version_build
from workers.play import Tools


def built(site: FileSite, tools: Tools, files: dict[str, str], steps: list[str] | None = None) -> BuildReport:
    """Build a bundle, with a good bot as opponent, and check that the report is a valid message."""
    job = build_job(site, files, seat_program(site, GOOD_BOT, "house"))
    hasty = msgspec.structs.replace(job, limits=BotLimits(start_cpu_ms=1_000))
    report = version_build(hasty, tools, (steps if steps is not None else []).append)
    return msgspec.convert(msgspec.json.decode(msgspec.json.encode(report)), BuildReport)


def test_a_good_bot_is_built(site: FileSite, tools: Tools) -> None:
    steps: list[str] = []
    report = built(site, tools, {"main.py": GOOD_BOT, "data/table.txt": "1 2 3"}, steps)
    assert (report.platform_fault, report.failed_step) == (None, None)
    assert steps == [Step.FETCH, Step.UNPACK, Step.COMPILE, Step.CHECK]
    assert (report.language, report.entry, report.log_digest) == ("python", "main.py", None)
    verify(site.files[report.replay_digest])
    assert sorted(seat["name"] for seat in decode(site.files[report.replay_digest])[0]["seats"]) == [
        "house",
        "newcomer",
    ]


def test_the_check_match_is_played_on_any_seat(site: FileSite, tools: Tools) -> None:
    """When it was always the first seat, bots passed that could play on no other."""
    first_only = GOOD_BOT.replace("lines(height)", "assert seat == 0\nlines(height)", 1)
    job = build_job(site, {"main.py": first_only}, seat_program(site, GOOD_BOT, "house"))
    reports = [version_build(msgspec.structs.replace(job, seed=seed), tools, lambda step: None) for seed in range(6)]
    seats = [decode(site.files[report.replay_digest])[0]["seats"] for report in reports]
    own = [[seat["name"] for seat in of_match].index("newcomer") for of_match in seats]
    assert set(own) == {0, 1}
    assert [report.verdict for report in reports] == ["crashed" if seat else "" for seat in own]


def test_the_first_bot_of_an_arena_plays_against_itself_and_its_artifact_is_its_bundle(
    site: FileSite, tools: Tools
) -> None:
    """The same files give the same bytes, so an artifact is stored and cached once."""
    job = build_job(site, {"main.py": GOOD_BOT, "a/b.txt": "x"})
    report = version_build(job, tools, lambda step: None)
    assert report.artifact_digest == job.bundle_digest
    assert report.artifact_bytes == len(site.files[job.bundle_digest])
    seats = decode(site.files[report.replay_digest])[0]["seats"]
    assert [(seat["name"], seat["version"]) for seat in seats] == [("newcomer", "2")] * 2


def test_answers_that_the_game_forgives_stand_in_the_log(site: FileSite, tools: Tools) -> None:
    job = build_job(site, {"main.py": MUMBLER}, game="attack25", players=4)
    report = version_build(job, tools, lambda step: None)
    assert (report.platform_fault, report.failed_step) == (None, None)
    told = "3 answers were not understood, or not allowed; the first, in turn 1: 'BID 5'."
    assert report.log.endswith(f"\n\n--- Check match ---\n{told}")
    assert len(decode(site.files[report.replay_digest])[0]["seats"]) == 4, "as many as in matches of the ladder"


def test_the_check_match_is_played_by_the_rules_of_the_contest(site: FileSite, tools: Tools) -> None:
    options, limits = {"turns": 10}, BotLimits(time_percent=50)
    job = build_job(site, {"main.py": GOOD_BOT}, options=options, limits=limits)
    report = version_build(job, tools, lambda step: None)
    assert (report.platform_fault, report.failed_step) == (None, None), report
    header, turn, *_ = decode(site.files[report.replay_digest])
    assert (header["options"], header["time_percent"]) == (options, 50)
    whole = game_named("kakomimasu")
    assert turn["seats"][0]["limit_ms"] == whole.cpu_ms(whole.reset([job.seed], 2, options), 0, 0) // 2
    verify(site.files[report.replay_digest])


def test_a_language_that_the_contest_does_not_allow_is_told_with_those_it_does(site: FileSite, tools: Tools) -> None:
    job = build_job(site, {"main.py": GOOD_BOT}, languages=["rust", "cpp"])
    report = version_build(job, tools, lambda step: None)
    assert (report.failed_step, report.verdict, report.lacks) == ("compile", "no language", "")
    assert english(report.why) == "Your bot is written in Python 3. This contest takes bots in: C++, Rust."


def test_an_opponent_that_crashes_is_not_its_fault(site: FileSite, tools: Tools) -> None:
    job = build_job(site, {"main.py": GOOD_BOT}, seat_program(site, "1 / 0", "house"))
    report = version_build(job, tools, lambda step: None)
    assert (report.platform_fault, report.failed_step) == (None, None)


ENDLESS_IMPORT = {"main.py": "import table\n" + GOOD_BOT, "table.py": "while True:\n    pass\n"}
PRINTS_NOTHING = "import sys\nfor line in sys.stdin:\n    pass\n"
GARBAGE = "for _ in range(1000):\n    input()\n    print('%%%')\n"
DIES_ON_TURN_3 = GOOD_BOT.replace("    print(", "    assert turn < 2, 'I give up'\n    print(")
EATS_MEMORY = GOOD_BOT.replace("    print(", "    hoard = [bytearray(10**6) for _ in range(10**4)]\n    print(")


@pytest.mark.parametrize(
    ("files", "step", "verdict", "words"),
    [
        ({"readme.txt": "hello"}, "compile", "no program", "main.py"),
        ({"main.py": "def broken(:\n"}, "compile", "compile error", "no valid Python"),
        (ENDLESS_IMPORT, "check", "time", "its start"),
        ({"main.py": PRINTS_NOTHING}, "check", "time", "did not finish this turn"),
        ({"main.py": GARBAGE}, "check", "illegal answer", "turn 1"),
        ({"main.py": DIES_ON_TURN_3}, "check", "crashed", "turn 3"),
        ({"main.py": EATS_MEMORY}, "check", "memory", "256 MiB"),
        ({"main.py": "import ctypes\nctypes.CDLL(None).unshare(0)\n"}, "check", "security", "forbidden"),
    ],
    ids=["no entry", "syntax", "endless import", "silent", "garbage", "dies", "memory", "forbidden"],
)
def test_a_bad_bot_is_rejected_in_words(
    site: FileSite, tools: Tools, files: dict[str, str], step: str, verdict: str, words: str
) -> None:
    report = built(site, tools, files)
    assert report.platform_fault is None
    assert (report.failed_step, report.verdict) == (step, verdict), report
    assert words in english(report.why, "kakomimasu")
    assert english(report.why, "kakomimasu").endswith(".")
    assert report.artifact_digest is None


@pytest.mark.parametrize(("line", "verdict"), [("print 'x'", "compile error"), ("raw_input()", "crashed")])
def test_python_2_is_recognised(site: FileSite, tools: Tools, line: str, verdict: str) -> None:
    report = built(site, tools, {"main.py": f"{line}\n{GOOD_BOT}"})
    assert (report.platform_fault, report.verdict) == (None, verdict)
    assert english(report.why) == "The program is written in Python 2, and this is Python 3."
    assert "main.py" in report.log


def test_the_rejection_names_the_rulesets_of_the_ladder(site: FileSite, tools: Tools) -> None:
    report = built(site, tools, {"main.py": "import os\ninput()\nos.abort()\n"})
    assert english(report.why) == (
        "In turn 1 of the check match: It was killed by signal 6 (SIGABRT). The game is played here by the rules"
        " present, not by 2020: compare what your program reads and writes with the game's page."
    )
    assert " not by " not in english(built(site, tools, {"main.py": DIES_ON_TURN_3}).why), "it plays by these rules"


def test_the_log_of_a_crash_shows_what_the_author_needs(site: FileSite, tools: Tools) -> None:
    report = built(site, tools, {"main.py": DIES_ON_TURN_3, "table.py": "NONE = 1 is 2\n"})
    crash, warning = report.log.split("\n\n--- Build ---\n")
    for words in ("AssertionError: I give up", "exit code 1", "--- Last question ---"):
        assert words in crash
    assert "table.py:1: SyntaxWarning" in warning
    assert len(decode(site.files[report.replay_digest])) > 3, "the check match can be watched"


@pytest.mark.parametrize(("ends", "fault"), [("", ""), ("    if turn == 2: raise SystemExit(1)\n", "crashed")])
def test_the_turns_of_the_check_match_are_kept(site: FileSite, tools: Tools, ends: str, fault: str) -> None:
    speaks = GOOD_BOT.replace("    print(", f"    import sys; print('to the log', file=sys.stderr)\n{ends}    print(")
    report = built(site, tools, {"main.py": speaks})
    assert (report.platform_fault, report.verdict) == (None, fault)
    turns = [turn for turn in unpack(site.files[report.log_digest]) if turn.stderr or turn.fault]
    assert {turn.stderr for turn in turns} == {"to the log\n"}
    assert turns[-1].fault == fault


def test_a_compiled_bot_is_built_and_plays(site: FileSite, tools: Tools) -> None:
    if not tools.has(languages.language("cpp")):
        pytest.skip("needs C++: apt-get install g++ make")
    kit = {name: content.decode() for name, content in kit_files("kakomimasu", "cpp").items()}
    report = built(site, tools, {**kit, "data/table.txt": "1 2 3"})
    assert (report.platform_fault, report.failed_step, report.why) == (None, None, None)
    assert (report.language, report.entry) == ("cpp", "main.cpp")
    assert report.log.startswith("main.cpp is taken as the program in C++, since it has the name of one.")
    with tarfile.open(fileobj=io.BytesIO(site.files[report.artifact_digest])) as artifact:
        assert artifact.getmember("bot").mode == 0o755
        assert "data/table.txt" in artifact.getnames()


def test_a_language_that_is_not_here_is_named(site: FileSite, tools: Tools, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tools._versions, "rust", None)
    report = built(site, tools, {"main.rs": "fn main() {}"})
    assert (report.failed_step, report.verdict) == ("compile", "no language")
    assert english(report.why) == "This arena has no Rust."
    assert report.lacks == "rust"


def test_an_opponent_in_a_language_that_is_not_here_is_no_fault_of_the_bot(site: FileSite, tools: Tools) -> None:
    opponent = SeatProgram("other", "1", "http://unused/", "0" * 64, "rust", "main")
    tools._versions["rust"] = None
    report = version_build(build_job(site, {"main.py": GOOD_BOT}, opponent=opponent), tools, lambda step: None)
    assert (report.failed_step, report.lacks) == (None, "rust")
    assert english(report.platform_fault).startswith("This worker has no Rust: install ")


def test_a_game_that_is_not_known_here_is_our_fault(site: FileSite, tools: Tools) -> None:
    job = msgspec.structs.replace(build_job(site, {"main.py": GOOD_BOT}), game="chess")
    steps: list[str] = []
    report = version_build(job, tools, steps.append)
    assert (report.failed_step, steps) == (None, []), "nothing is built in vain"
    assert english(report.platform_fault) == (
        "This worker does not know the game chess: update it, or install the game's package."
    )
    assert report.lacks == RULES


def test_a_mistake_of_ours_rejects_nobody(site: FileSite, tools: Tools) -> None:
    broken = Mock(side_effect=RuntimeError("secret detail"))
    report = version_build(build_job(site, {"main.py": GOOD_BOT}), tools, broken)
    assert report.failed_step is None
    assert "RuntimeError" in english(report.platform_fault)
    assert "secret detail" not in english(report.platform_fault)
