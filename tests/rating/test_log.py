"""The match log, from which anybody can compute the ratings of the leaderboard."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from rating.__main__ import main
from rating.log import Finished, MatchLog, RatedVersion, fit_versions, moment_of
from rating.orders import results_collect

VERSIONS = [
    RatedVersion(4, "ring v1", declared=1600.0),
    RatedVersion(7, "mine v1"),
    RatedVersion(9, "mine v2", parent=7),
]


MATCHES = [Finished(11, [4, 7], [1, 2]), Finished(12, [7, 4], [1, 2]), Finished(15, [4, 7], [1, 1])]


def a_log() -> MatchLog:
    return MatchLog({v.version: v for v in VERSIONS}, {m.match: m for m in MATCHES})


def test_the_order_and_repetition_of_lines_do_not_count() -> None:
    lines = list(a_log().lines())
    read = MatchLog.of_lines([*lines[::-1], *lines])
    assert read == a_log()
    assert list(read.lines()) == lines
    assert read.fit()[1].rating.tobytes() == a_log().fit()[1].rating.tobytes()


@pytest.mark.parametrize(
    ("number", "field", "value"),
    [
        (-1, "at", "2020-01-01"),
        (-1, "rules", "other"),
        (-1, "players", [7, 4]),
        (-1, "ranks", [2, 1]),
        (0, "name", "x"),
    ],
)
def test_two_descriptions_are_refused_and_the_field_is_named(number: int, field: str, value: object) -> None:
    lines = list(a_log().lines())
    other = msgspec.json.encode(msgspec.json.decode(lines[number]) | {field: value})
    with pytest.raises(ValueError, match=rf"(Match 15|Version 4) comes twice, and `{field}` is another"):
        MatchLog.of_lines([*lines, other])


@pytest.mark.parametrize("line", [b"", b"[]", b'{"match": 1}', b'{"version": "x", "name": ""}', b"\xff"])
def test_lines_that_are_neither_version_nor_match_are_named(line: bytes) -> None:
    with pytest.raises(ValueError, match="Line 7 of the log"):
        MatchLog.of_lines([*a_log().lines(), line])


@pytest.mark.parametrize(("players", "parent"), [([7, 99], None), ([7, 8], None), ([7, 9], 99)])
def test_a_fit_refuses_players_and_parents_without_a_version(players: list[int], parent: int | None) -> None:
    """A result of an unknown version must not count for another one."""
    versions = {7: RatedVersion(7, "mine v1"), 9: RatedVersion(9, "mine v2", parent)}
    with pytest.raises(ValueError, match="not described"):
        fit_versions(versions, results_collect([(players, [1, 2])]))


def test_house_bots_fix_the_scale_and_new_versions_inherit() -> None:
    versions, fit = a_log().fit()
    assert versions == [4, 7, 9]
    assert fit.rating[0] == pytest.approx(1600.0)
    assert fit.rating[2] == pytest.approx(fit.rating[1])
    assert fit.se[2] > fit.se[1]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ('{"match": 20, "players": [4], "ranks": [1]}', "players"),
        ('{"match": 20, "players": [4, 4], "ranks": [1, 2]}', "players"),
        ('{"match": 20, "players": [4, 7], "ranks": [2, 2]}', "ranks"),
        ('{"match": 20, "players": [4, 7], "ranks": [1, 1.5]}', "ranks"),
        ('{"match": 20, "players": [4, 7], "ranks": [1, NaN]}', "ranks"),
        ('{"version": 9, "name": "x", "declared": -Infinity}', "declared"),
        ('{"version": 8, "name": "x", "parent": 99}', "parent"),
        ('{"version": 8, "name": "x", "declared": 1e308}', "declared"),
        ('{"version": 8, "name": "x", "declard": 1600}', "declard"),
        ('{"version": 8, "name": "x", "parent": 8}', "Version 8: `parent`"),
        ('{"version": 8, "name": "x", "parent": 10}\n{"version": 10, "name": "y", "parent": 8}', "`parent` leads back"),
        ('{"version": 9223372036854775808, "name": "x"}', "version"),
        ('{"match": 20, "players": [4, 9223372036854775808], "ranks": [1, 2]}', "players"),
        ('{"match": 20, "players": [4, 7], "ranks": [1, 2], "seats": [1, 0]}', "seats"),
        pytest.param('{"match": 20, "x": ' + "[" * 100_000, "Line 7 of the log: .*recursion", id="deep"),
    ],
)
def test_wrong_fields_are_refused_by_name(line: str, field: str) -> None:
    with pytest.raises(ValueError, match=field):
        MatchLog.of_lines([*a_log().lines(), *line.encode().splitlines()])


def test_the_command_line_gives_the_leaderboard(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(a_log().lines()) + b"\n")
    assert main(["fit", "--log", str(path)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["name"] == ["ring v1", "mine v1", "mine v2"]
    assert answer["rating"] == [row.rating for row in a_log().board()]
    assert answer["se"] == [row.se for row in a_log().board()]


def test_a_past_board_counts_the_matches_until_then(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A season may end while the matches of its arena go on."""
    log = a_log()
    late = Finished(16, [9, 4], [1, 2], at="2026-02-01T00:00:00.001Z")
    log.matches = {
        number: msgspec.structs.replace(match, at="2026-01-31T23:59:59+00:00") for number, match in log.matches.items()
    } | {16: late}
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(log.lines()) + b"\n")
    ended = MatchLog({v.version: v for v in VERSIONS[:2]}, {m.match: m for m in MATCHES}).board()
    for moment in ("2026-02-01", "2026-01-31T23:59:59Z", "2026-02-01T09:00+09:00"):
        assert main(["fit", "--log", str(path), "--until", moment]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["name"] == ["ring v1", "mine v1"], "the other had not played"
        assert answer["rating"] == [row.rating for row in ended]
    assert main(["fit", "--log", str(path), "--until", "2026-02-01T00:00:01"]) == 0
    assert json.loads(capsys.readouterr().out)["rating"] == [row.rating for row in log.board()]
    assert main(["fit", "--log", str(path), "--until", "2020-01-01"]) == 0
    assert json.loads(capsys.readouterr().out)["version"] == []


def test_a_parent_stays_in_a_past_board_though_it_did_not_play() -> None:
    match = Finished(1, [4, 9], [1, 2], at="2026-01-01")
    past = MatchLog({v.version: v for v in VERSIONS}, {1: match}).until(moment_of("2026-01-01"))
    assert past.versions.keys() == {4, 7, 9}


def test_a_wrong_moment_is_refused_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(b"\n".join(a_log().lines()) + b"\n")
    with pytest.raises(SystemExit):
        main(["fit", "--log", str(path), "--until", "yesterday"])
    assert "'yesterday' is no moment such as 2026-01-31T12:00Z" in capsys.readouterr().err
    assert main(["fit", "--log", str(path), "--until", "2026-01-01"]) == 2
    assert capsys.readouterr().err == "Match 11: `at` is no moment such as 2026-01-31T12:00:00Z.\n"


def test_a_missing_file_is_reported_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "--log", "no-such-file"]) == 2
    assert capsys.readouterr().err == "no-such-file cannot be read: No such file or directory.\n"


def test_an_interrupted_command_prints_no_traceback(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def interrupted(path: Path, until: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rating.__main__.fit_log", interrupted)
    assert main(["fit", "--log", str(tmp_path)]) == 130


def test_a_closed_standard_input_is_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", None)
    assert main(["fit"]) == 2
    assert "Standard input is closed" in capsys.readouterr().err
