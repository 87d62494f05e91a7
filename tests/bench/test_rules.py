"""Measurements of the benchmark, and the cases with permanent names."""

from __future__ import annotations

from functools import partial

import pytest

from tests.bench.rules import Case, Measurement, cases, measure
from tests.core.setups import registered

pytestmark = pytest.mark.usefixtures("rps")

NAMES = {
    "fill_24x24_p2",
    "fill_10x10_p2",
    "fill_35x20_p4",
    "kakomimasu_10x10",
    "kakomimasu_24x24",
    "back_to_the_code_p4",
    "wondev_woman",
    "puyo_22_cubed",
    "puyo_placements",
    "attack25",
}


def test_permanent_names_stay_and_each_case_has_a_reference() -> None:
    games = {setup.game.name for setup in registered()} - {"rps"}
    named = {case.key: case for game in games for case in cases(game) if case.key}
    assert set(named) >= NAMES | {f"step_{game}" for game in games}
    references = {key: case.plain for key, case in named.items() if case.plain}
    assert references.keys() == named.keys(), "Give a case `plain`; for step_<game> name PLAIN_STEP."
    for game in games:
        play = references[f"step_{game}"]()
        for _ in range(150):
            play()


def test_results_are_rates_or_times_of_one_unit() -> None:
    case = Case("step", 4, "turns", lambda: lambda: None)
    rates = Measurement(case, (4.0, 1.0, 2.0), (0.5, 0.25))
    assert (rates.value, rates.unit, rates.values) == (2.0, "turns/s", (4.0, 1.0, 2.0))
    assert rates.times_plain_python == pytest.approx(2 / 0.375)
    timed = Measurement(Case("step", 4, "turns", case.prepare, timed="ms"), (4.0, 1.0, 2.0), ())
    assert (timed.value, timed.unit, timed.values) == (500.0, "ms", (250.0, 1_000.0, 500.0))
    assert timed.times_plain_python is None


def test_work_and_reference_are_measured_alternately_after_one_call_each() -> None:
    calls: list[str] = []
    work, plain = partial(calls.append, "work"), partial(calls.append, "plain")
    case = Case("both", 1, "calls", lambda: work, plain=lambda: plain, plain_batch=0.5)
    result = measure(case, repeats=2, seconds=0)
    assert calls == ["work", "plain"] * 3
    assert (len(result.rates), len(result.plain_rates)) == (2, 2)
