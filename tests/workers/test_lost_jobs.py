"""Reports of jobs whose process has died."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from billiard.exceptions import WorkerLostError

from tests.workers.conftest import TOKEN, FileSite, build_job, play_job
from wire.jobs import AGAIN_MAX, BUILD_TASK, PLAY_TASK, BuildReport, MatchReport
from workers import lost_jobs
from workers.lost_jobs import job_lost, loss_report


def test_a_lost_match_is_our_fault(site: FileSite) -> None:
    job = play_job(site, "", "")
    task, report = loss_report(PLAY_TASK, msgspec.json.encode(job), "play@here")
    assert task == "matches.match_result"
    assert isinstance(report, MatchReport)
    assert (report.match_id, report.attempt, report.lease_token, report.seats) == (7, AGAIN_MAX + 1, TOKEN, [])
    assert report.platform_fault


def test_a_lost_build_is_our_fault(site: FileSite) -> None:
    task, report = loss_report(BUILD_TASK, msgspec.json.encode(build_job(site, {"main.py": ""})), "play@here")
    assert task == "ladder.build_result"
    assert isinstance(report, BuildReport)
    assert (report.version_id, report.lease_token) == (3, TOKEN)
    assert report.platform_fault


@pytest.mark.parametrize(("error", "reports"), [(WorkerLostError(), 1), (ValueError(), 0)], ids=["lost", "other"])
def test_only_a_loss_is_reported(
    site: FileSite, monkeypatch: pytest.MonkeyPatch, error: Exception, reports: int
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(lost_jobs, "send_best_effort", lambda app, task, report: sent.append(report))
    monkeypatch.setattr(lost_jobs.threading.Thread, "start", lambda thread: thread.run())

    class Task:
        name = PLAY_TASK
        app = SimpleNamespace(conf=SimpleNamespace(node_name="play@here"))

    job_lost(Task, error, [msgspec.json.encode(play_job(site, "", ""))])
    assert len(sent) == reports
