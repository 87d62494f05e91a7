"""The benchmark of the rules runs, with rock, paper, scissors."""

from __future__ import annotations

import json

import pytest

import games.registry
from tests.bench.rules.__main__ import main

pytestmark = pytest.mark.usefixtures("rps")


def test_bench_prints_one_object_of_the_cases_with_lasting_names(capsys: pytest.CaptureFixture[str]) -> None:
    main(["rps", "--repeats", "1", "--seconds", "0", "--json"])
    results = json.loads(capsys.readouterr().out)
    assert list(results) == ["rps_reset", "step_rps"]
    assert all(list(result) == ["value", "unit", "times_plain_python"] for result in results.values())
    assert results["rps_reset"]["times_plain_python"] > 0
    assert (results["step_rps"]["unit"], results["step_rps"]["times_plain_python"]) == ("us", None)


@pytest.mark.parametrize(
    ("option", "sentence"),
    [
        ("--repeats=0", "argument --repeats: it must be at least 1"),
        *(
            (f"--seconds={text}", f"--seconds: '{text}' is no number of seconds")
            for text in ("-1", "nan", "inf", "few")
        ),
    ],
)
def test_bench_refuses_endless_times(option: str, sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["rps", "--repeats", "1", option])
    assert sentence in capsys.readouterr().err


def test_bench_takes_all_games_by_default(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(games.registry, "_own", dict)
    main(["--repeats", "1", "--seconds", "0"])
    assert capsys.readouterr().out.startswith("rps")
