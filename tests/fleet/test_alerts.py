"""The alerts, evaluated by Prometheus' own tool: each fires when it should, and not before."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from deploy.settings import ROOT

ALERTS = ROOT / "deploy" / "alerts.yaml"


@dataclass(frozen=True)
class Case:
    """Series of one value a minute, as ``promtool`` writes them, and minutes in which an alert is silent or fires."""

    alert: str
    series: dict[str, str]
    silent: tuple[int, ...]
    fires: tuple[int, ...] = ()


def attempts(ending: str, game: str = "puyo") -> str:
    return f'banzuke_attempts_total{{game="{game}",ending="{ending}"}}'


def waiting(line: str, metric: str = "queue_oldest_seconds") -> str:
    return f'banzuke_{metric}{{game="puyo",class="{line}"}}'


def canary(worker: str) -> str:
    return f'banzuke_worker_canary_ms{{worker="{worker}",instance="arena.example:443",job="banzuke"}}'


def fails(part: str) -> dict[str, str]:
    return {f'banzuke_part_fails{{part="{part}"}}': "0x9 1x9"}


CASES = {
    "a site that answers, then does not": Case(
        "SiteAway", {"banzuke_matches_running": "0x20 _x30"}, silent=(5, 20), fires=(40,)
    ),
    "a match that waits longer and longer": Case(
        "QueueTooOld", {waiting("ladder"): "0+60x30"}, silent=(5, 9), fires=(12, 30)
    ),
    "a match that waits because results do": Case(
        "QueueTooOld",
        {waiting("ladder"): "0+60x30", "banzuke_reports_waiting_seconds": "0+60x30"},
        silent=(5, 12, 30),
    ),
    "results that wait for managers": Case(
        "ManagersBehind", {"banzuke_reports_waiting_seconds": "0x9 0+60x9"}, silent=(9, 10), fires=(12,)
    ),
    "house bots that wait, for whom nobody does": Case("QueueTooOld", {waiting("house"): "0+60x30"}, silent=(30,)),
    "work, and workers that go": Case(
        "NobodyPlays",
        {waiting("ladder", "queue_length"): "3x40", "banzuke_processes": "4x10 0x30"},
        silent=(10, 12),
        fires=(14, 40),
    ),
    "nobody there, but nothing to do": Case(
        "NobodyPlays", {waiting("ladder", "queue_length"): "0x40", "banzuke_processes": "0x40"}, silent=(40,)
    ),
    "the first workers that are ever lost, in mid-match of two games": Case(
        "WorkersLost",
        {attempts("lost"): "0x10 2x60", attempts("lost", "attack25"): "0x10 3x60"},
        silent=(10, 40),
        fires=(13, 20),
    ),
    "a worker that is lost now and then": Case("WorkersLost", {attempts("lost"): "0x9 1x9 2x9 3x9"}, silent=(12, 30)),
    "a tenth of what is played fails by our fault": Case(
        "PlatformFaults",
        {attempts("result"): "0+9x60", attempts("platform_fault"): "0x10 1+1x10 11x40"},
        silent=(5, 12, 60),
        fires=(20,),
    ),
    "one of a thousand fails by our fault": Case(
        "PlatformFaults", {attempts("result"): "0+100x60", attempts("platform_fault"): "0x10 1x50"}, silent=(20, 60)
    ),
    "a wall that is missing": Case(
        "WorkerRefuses", {'banzuke_worker_self_test_failed{worker="a"}': "0x9 1x9"}, silent=(9,), fires=(11,)
    ),
    "a disk that fills": Case("DiskFills", {"banzuke_storage_free_bytes": "5e9-1e8x50"}, silent=(20, 30), fires=(40,)),
    "a manager that stands still": Case(
        "CountersStandStill", {"banzuke_counters_age_seconds": "12x9 12+60x9"}, silent=(9, 12), fires=(16,)
    ),
    "a manager that never came": Case(
        "CountersStandStill", {"banzuke_counters_age_seconds": "NaN " * 9}, silent=(1,), fires=(8,)
    ),
    "few inodes": Case("FewFilesLeft", {"banzuke_storage_free_files": "2e5-5e3x50"}, silent=(15, 20), fires=(40,)),
    "a disk that counts no files": Case("FewFilesLeft", {"banzuke_storage_free_files": "+Inf " * 20}, silent=(19,)),
    "managers that do nothing": Case("ManagerFails", fails("manage"), silent=(9, 11), fires=(13,)),
    "a timetable that sends nothing": Case("TimetableSilent", fails("beat"), silent=(9, 11), fires=(13,)),
    "a wrong clock": Case("ClockWrong", fails("clock"), silent=(9,), fires=(12,)),
    "users of the broker that are lost": Case("BrokerUsersLost", fails("broker users"), silent=(9, 11), fires=(13,)),
    "a part that is away": Case("PartAway", fails("storage"), silent=(9, 11), fires=(13,)),
    "a part that has an alert of its own": Case("PartAway", fails("beat"), silent=(13,)),
    "a host that is not half as fast as the other": Case(
        "SlowHost", {canary("quick"): "3x60", canary("slow"): "_x20 7x40"}, silent=(20, 25), fires=(40,)
    ),
    "hosts whose speeds differ by less than two": Case(
        "SlowHost", {canary("quick"): "3x60", canary("slow"): "5.9x60"}, silent=(60,)
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_it_comes_when_it_should(case: Case, tmp_path: Path) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("needs promtool: apt-get install prometheus")
    shown = {minute: [] for minute in case.silent} | {minute: [{"labels": "{}", "value": 1}] for minute in case.fires}
    firing = f'count(ALERTS{{alertname="{case.alert}",alertstate="firing"}})'
    scenario = {
        "interval": "1m",
        "input_series": [{"series": name, "values": values} for name, values in case.series.items()],
        "promql_expr_test": [
            {"expr": firing, "eval_time": f"{minute}m", "exp_samples": samples} for minute, samples in shown.items()
        ],
    }
    shutil.copy(ALERTS, tmp_path)
    told = {"rule_files": [ALERTS.name], "evaluation_interval": "1m", "tests": [scenario]}
    (tmp_path / "tests.yaml").write_text(json.dumps(told))  # which is YAML, too
    argv = ["promtool", "test", "rules", "tests.yaml"]
    result = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_each_is_tried_both_ways() -> None:
    rules = [rule["alert"] for group in yaml.safe_load(ALERTS.read_text())["groups"] for rule in group["rules"]]
    assert sorted({case.alert for case in CASES.values() if case.fires}) == sorted(rules)
    assert all(case.silent for case in CASES.values())
