"""What agents and authors are told of tries, versions and challenges, by a small server in the arena's place."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from http.server import HTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from banzuke import agents, site
from banzuke.api_types import OwnVersion, RemoteSeat, WholeMatch, WholeSeat
from banzuke.commands import tries
from banzuke.commands.challenge import bot_meant, outcome
from banzuke.commands.tries import LINES_MAX, Tried, stderr_lines, texts_of, try_lines
from banzuke.commands.upload import CHECK_SECTION, packed, version_end
from banzuke.site import Site, site_remember
from banzuke.text import UserError
from banzuke.turnlog import LoggedTurn, log_path, log_read
from tests.banzuke.conftest import Refusal, Run
from tests.serving import QuietHandler, serving

GAME = "kakomimasu"
VERSION: dict[str, Any] = {
    "id": 4,
    "bot": 2,
    "name": "Ring",
    "number": 3,
    "state": "active",
    "steps": [],
    "is_final": True,
    "sentence": "",
    "advice": "",
    "faults": [],
    "log": "",
    "rating": 1512.4,
    "interval": 35.6,
    "games": 80,
    "rank": 2,
    "place": 2,
}
TRY: dict[str, Any] = {
    "id": 9,
    "state": "finished",
    "place": None,
    "step": "",
    "verdict": "",
    "why": "",
    "log": "",
    "marks": [],
    "turn": None,
    "turns": 30,
    "seat": 1,
    "seats": ["Wall", "mine"],
    "ranks": [2, 1],
    "scores": [3.0, 5.5],
    "cpu_ms_total": [12.4, 99.6],
}
TURNS = [
    {
        "seat": 1,
        "turn": 1,
        "asked": "go",
        "answered": "NONE",
        "stderr": "depth 3\nvalue 1",
        "cpu_ms": 1.0,
        "wall_ms": 2.0,
    },
    {"seat": 1, "turn": 2, "asked": "go", "answered": "NONE", "stderr": "", "cpu_ms": 1.0, "wall_ms": 2.0},
]
ROW = {"rank": 1, "bot": 7, "name": "Wall", "owner": "a", "language": "c", "rating": 1.5, "interval": 1.0, "games": 1}


class Arena(QuietHandler):
    """Answers by path; a list of answers is taken one after the other, and its last one stays."""

    answers: dict[str, Any] = {}
    asked: list[tuple[str, str, Any]] = []

    def respond(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        url = urlsplit(self.path.removeprefix("/api/v1/"))
        is_json = self.headers.get("Content-Type") == "application/json"
        self.asked.append((self.command, self.path.removeprefix("/api/v1/"), json.loads(body) if is_json else body))
        found = self.answers.get(url.path)
        if isinstance(found, tuple):
            found, self.answers[url.path] = found[0], found[1:] or found
        if isinstance(found, bytes):
            self.answer(found)
        elif found is None:
            self.answer(b'{"detail": "There is no such thing."}', status=404)
        else:
            self.answer(json.dumps(found).encode())


@pytest.fixture(autouse=True)
def arena(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Arena]]:
    """Sign in to an arena, in a folder with a program ``mine``."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    for module in ("banzuke.commands.tries", "banzuke.commands.upload", "banzuke.commands.challenge"):
        monkeypatch.setattr(f"{module}.POLL_SECONDS", 0.0)
    monkeypatch.setattr(site, "AWAY_RETRY_SECONDS", 0.0)
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/main.py").write_text("print(input())\n")
    contest = {"slug": "cup", "title": "Cup", "game": GAME, "state": "open", "entries_until": None}
    Arena.asked = []
    Arena.answers = {"contests/cup/": contest, "contests/": [contest]}
    with serving(HTTPServer(("127.0.0.1", 0), Arena)) as url:
        site_remember(Site(url, "token"))
        yield Arena


def sent(arena: type[Arena], path: str) -> Any:
    """Return what was sent to a path the last time."""
    return next(body for _, asked, body in reversed(arena.asked) if urlsplit(asked).path == path)


# --- Tools for agents -----------------------------------------------------------------------------------------------


def test_an_agent_reads_contests_rules_and_boards(arena: type[Arena]) -> None:
    arena.answers |= {
        "contests/a%2Fb/guide/": {"text": "# Rules"},
        "contests/cup/board/": {"rows": [ROW]},
        "matches/": {"results": [{"id": 1}]},
    }
    assert agents.list_contests()[0]["slug"] == "cup"
    assert agents.read_rules("a/b") == "# Rules", "a key is one part of the path"
    assert agents.show_board("cup", "wa ll")[0]["bot"] == 7
    assert arena.asked[-1][1] == "contests/cup/board/?name=wa+ll"
    assert agents.list_matches(7, only_faults=True) == [{"id": 1}]
    query = parse_qs(urlsplit(arena.asked[-1][1]).query)
    assert query == {"bot_id": ["7"], "limit": ["20"], "state": ["finished"], "fault": ["any"]}


def test_an_agent_is_shown_a_kit_in_a_language_that_there_is() -> None:
    assert "main.py" in agents.show_starter_kit("cup")
    with pytest.raises(UserError, match=r"There is no kit in cobol\. There are: .*python"):
        agents.show_starter_kit("cup", "cobol")


def test_a_contest_of_a_game_that_is_not_installed_is_refused(arena: type[Arena]) -> None:
    arena.answers["contests/cup/"]["game"] = "chess"
    with pytest.raises(UserError, match="chess"):
        agents.show_starter_kit("cup")
    del arena.answers["contests/cup/"]
    with pytest.raises(UserError, match=r"There is no contest cup at .* or you are not in it"):
        agents.show_starter_kit("cup")


def test_a_try_of_an_agent_is_played_and_told(arena: type[Arena]) -> None:
    arena.answers |= {
        "tries/": TRY | {"state": "queued", "place": 2},
        "tries/9/": (TRY | {"state": "running"}, TRY),
        "tries/9/turns/": TURNS,
        "contests/cup/board/": {"rows": [ROW]},
    }
    told = agents.try_bot("mine", "cup", against="wall", seat=1, seed=5).split("\n")
    assert told[:2] == ["Try 9: finished.", "The match ended after 30 turns."]
    assert told[3].split() == ["Wall", "3", "2", "12", "ms"]
    assert told[4].split() == ["mine", "(you)", "5.5", "1", "100", "ms"]
    assert told[-3:] == ["Standard error:", "turn 1| depth 3", "turn 1| value 1"]
    begun = sent(arena, "tries/")
    assert (begun["contest"], begun["bot"], begun["seat"], begun["seed"]) == ("cup", 7, 1, 5)
    assert begun["files"] == {"main.py": "print(input())\n"}
    assert begun["from_match"] is begun["from_turn"] is None


def test_an_agent_is_told_to_ask_again_what_takes_long(arena: type[Arena], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agents, "WAIT_SECONDS", 0.01)
    arena.answers |= {
        "tries/9/": TRY | {"state": "running"},
        "versions/4/": VERSION | {"state": "building", "is_final": False, "rating": None},
    }
    assert agents.show_try(9) == "Try 9: running.\nAsk show_try(9) again."
    assert agents.show_version(4) == "Ring, version 3 (number 4): building.\nAsk show_version(4) again."


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"state": "failed", "why": "The disk is full."}, ["Try 9: failed.", "The disk is full."]),
        (
            {"state": "rejected", "verdict": "compile error", "why": "It has errors.", "log": "a\nb", "turn": None}
            | {"marks": [{"path": "main.c", "line": 3, "text": "no semicolon"}]},
            [
                "Try 9: rejected.",
                "Your program failed (compile error): It has errors.",
                "main.c:3: no semicolon",
                "a",
                "b",
            ],
        ),
    ],
)
def test_an_agent_is_told_why_a_try_was_not_played(
    arena: type[Arena], changed: dict[str, Any], told: list[str]
) -> None:
    arena.answers["tries/9/"] = TRY | changed
    assert agents.show_try(9).split("\n") == told


def test_turns_are_those_of_a_try_or_of_a_match(arena: type[Arena]) -> None:
    arena.answers |= {"tries/9/turns/": TURNS, "matches/3/turns/": TURNS[:1]}
    assert [turn["turn"] for turn in agents.show_turns(9, first=2)] == [2]
    assert [turn["turn"] for turn in agents.show_turns(3, of="match")] == [1]
    with pytest.raises(UserError, match="`of` is `try` or `match`"):
        agents.show_turns(3, of="version")


def test_an_agent_submits_a_program_and_reads_its_rating(arena: type[Arena]) -> None:
    arena.answers["versions/"] = VERSION | {"rank_wait": "A place needs 20 matches."}
    told = agents.submit_bot("mine", "cup", "Ring").split("\n")
    assert told == [
        "Ring, version 3 (number 4): active.",
        "Rating 1512 ± 36 after 80 matches.",
        "A place needs 20 matches.",
    ]
    body = sent(arena, "versions/")
    assert b'name="contest"\r\n\r\ncup' in body
    assert b'filename="mine.zip"' in body


# --- Texts of commands ----------------------------------------------------------------------------------------------


def tried(**fields: Any) -> Tried:
    return msgspec.convert(TRY | fields, Tried)


def test_a_failure_in_a_turn_is_told_with_it() -> None:
    lines = try_lines(tried(verdict="time", why="It was too slow.", turn=4))
    assert lines[-1] == "Your program failed in turn 4 (time): It was too slow."
    assert [tried(state=state).is_final for state in ("queued", "running", "finished", "rejected", "failed")] == [
        *(False, False, True, True, True)
    ]


def test_long_logs_and_long_errors_are_cut() -> None:
    log = "\n".join(f"{'x' * 900} {number}" for number in range(LINES_MAX + 50))
    lines = try_lines(tried(state="rejected", log=log))
    assert (len(lines), {len(line) for line in lines}) == (LINES_MAX, {500})
    turns = [LoggedTurn(0, number, "", "", f"line {number}") for number in range(LINES_MAX + 5)]
    shown = stderr_lines(turns)
    assert (shown[0], shown[1], len(shown)) == ("[... 5 lines left out]", "turn 5| line 5", LINES_MAX + 1)


def test_a_try_takes_texts_alone(tmp_path: Path) -> None:
    assert texts_of(Path("mine"), GAME) == {"main.py": "print(input())\n"}
    Path("mine/data.bin").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match=r"data\.bin is no text in UTF-8, and a try takes nothing else"):
        texts_of(Path("mine"), GAME)
    with pytest.raises(UserError, match="nothing is no folder and no source file"):
        texts_of(Path("nothing"), GAME)


@pytest.mark.parametrize(
    ("last", "status", "told"),
    [
        (TRY, 0, "The match ended after 30 turns."),
        (TRY | {"verdict": "crashed", "turn": 2, "why": "It ended."}, 1, "Your program failed in turn 2 (crashed)"),
        (TRY | {"state": "rejected", "verdict": "compile error", "why": "Wrong."}, 1, "Your program failed (compile"),
        (TRY | {"state": "failed", "why": "The disk is full."}, 2, "The disk is full."),
    ],
    ids=["played", "fault", "rejected", "failed"],
)
def test_the_command_tries_a_program_and_keeps_its_replay(
    last: dict[str, Any], status: int, told: str, arena: type[Arena], banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    queued = TRY | {"state": "queued", "place": 3}
    arena.answers |= {
        "tries/": queued,
        "tries/9/": (queued, queued | {"place": 1}, last),
        "tries/9/turns/": TURNS,
        "tries/9/replay/": b"a replay",
    }
    assert banzuke("try", "mine", "--contest", "cup", "--language", "python") == status
    shown = "".join(capsys.readouterr())
    assert "Place in line: 3.\nPlace in line: 1.\n" in shown
    assert told in shown
    path = Path("try-9.jsonl.zst")
    assert path.exists() == (last["state"] == "finished")
    if path.exists():
        assert path.read_bytes() == b"a replay"
        assert [turn.stderr for turn in log_read(path)] == ["depth 3\nvalue 1", ""]
        assert log_path(path) == Path("try-9-log.json")
        assert shown.endswith("turn 1| depth 3\nturn 1| value 1\nbanzuke watch try-9.jsonl.zst\n")
    assert sent(arena, "tries/")["bot"] is None


def test_a_try_that_takes_longer_goes_on_without_the_command(
    arena: type[Arena], banzuke: Run, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = SimpleNamespace(sleep=lambda _: None, monotonic=iter((0.0, 1.0, 9.0)).__next__)
    monkeypatch.setattr(tries, "time", clock)
    arena.answers |= {"tries/": TRY | {"state": "queued"}, "tries/9/": TRY | {"state": "running"}}
    assert banzuke("try", "mine", "--contest", "cup", "--timeout", 5) == 3
    assert capsys.readouterr().out == "It takes longer than --timeout allows; the arena goes on with it.\n"
    assert len(arena.asked) == 3, "the contest, the try, and one look at it"


@pytest.mark.parametrize(
    ("text", "number"),
    [("12", 12), ("https://arena.example/bots/12/", 12), ("bots/12", 12), ("WALL", 7), ("١٢", 9), ("a/1 b", 11)],
)
def test_a_bot_is_named_by_its_number_its_page_or_its_name(text: str, number: int, arena: type[Arena]) -> None:
    others = [ROW | {"name": "١٢", "bot": 9}, ROW | {"name": "a/1 b", "bot": 11}]
    arena.answers["contests/cup/board/"] = {"rows": [ROW, *others]}
    assert bot_meant(site.site_remembered(), "cup", text) == number
    assert bool(arena.asked) == (number != 12), "a number is taken without asking"


def test_a_name_that_nobody_has_is_told_with_those_alike(arena: type[Arena]) -> None:
    arena.answers["contests/cup/board/"] = {"rows": [ROW]}
    with pytest.raises(UserError, match=r"No bot of cup is called Wal\. There are: Wall\. Its number will do"):
        bot_meant(site.site_remembered(), "cup", "Wal")


def test_the_result_of_a_match_is_a_line(arena: type[Arena]) -> None:
    arena.answers["matches/5/replay/"] = b"a replay"
    (here,) = [site.site_remembered()]
    seats = [WholeSeat("Wall", 2, 3.0, "time"), WholeSeat("Ring", 1, 5.5, "")]
    match = WholeMatch(5, "finished", seats, players=[RemoteSeat("hana", 3, None, "left")])
    Path("-kept").mkdir()
    line = outcome(here, match, Path("-kept"))
    assert line == "Match 5: 1. Ring 5.5, 2. Wall 3 (time), 3. hana 0 (left). banzuke watch ./-kept/match-5.jsonl.zst"
    assert Path("-kept/match-5.jsonl.zst").read_bytes() == b"a replay"
    assert outcome(here, WholeMatch(6, "void", []), Path()) == "Match 6: void"
    assert outcome(here, WholeMatch(6, "void", [], "Its worker was wrong."), Path()) == "Match 6: Its worker was wrong."
    with pytest.raises(UserError, match="cannot be written"):
        outcome(here, match, Path("nowhere"))


def version(**fields: Any) -> OwnVersion:
    return msgspec.convert(VERSION | fields, OwnVersion)


def test_the_end_of_a_version_is_told_with_what_to_do() -> None:
    assert version_end(version()) == "It plays. banzuke status --wait Ring waits for its first games."
    assert version_end(version(name="-h")) == "It plays. banzuke status --wait waits for its first games."
    log = f"main.c is the program.\nmain.c:1: unused\n{CHECK_SECTION}It was slow."
    assert version_end(version(name="a b", log=log)) == (
        "main.c:1: unused\nIn the check match: It was slow.\n"
        "It plays. banzuke status --wait 'a b' waits for its first games."
    )
    assert version_end(version(state="building", is_final=False)).startswith("It takes longer than --timeout allows.")
    rejected = version(state="rejected", sentence="It has errors.", advice="Mend them.", log="main.c:1: error")
    assert version_end(rejected) == "It has errors.\nMend them.\nmain.c:1: error"


def test_what_is_sent_has_the_name_of_the_bot(refusal: Refusal) -> None:
    name, (file, content) = packed(Path("mine"), GAME)
    assert (name, file) == ("mine", "mine.zip")
    assert zipfile.ZipFile(io.BytesIO(content)).namelist() == ["main.py"]
    assert packed(Path("mine/main.py"), GAME) == ("main", ("main.py", b"print(input())\n"))
    Path("Ring.TAR.gz").write_bytes(b"tar")
    assert packed(Path("Ring.TAR.gz"), GAME) == ("Ring", ("Ring.TAR.gz", b"tar"))
    for wrong in ("nothing", "mine.rar"):
        with pytest.raises(UserError, match="is no folder, source file, zip or tar"):
            packed(Path(wrong), GAME)
    assert refusal("upload", "nothing", "--game", GAME) == "nothing is no folder, source file, zip or tar.\n"
