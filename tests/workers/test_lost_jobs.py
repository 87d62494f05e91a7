"""Reports of jobs whose process has died."""

from __future__ import annotations

from types import SimpleNamespace

import msgspec
import pytest
from billiard.exceptions import WorkerLostError

from tests.workers.conftest import TOKEN, FileSite, build_job, play_job, try_job
from wire.jobs import AGAIN_MAX, BUILD_TASK, PLAY_TASK, TRY_TASK
from workers import lost_jobs
from workers.lost_jobs import job_lost, loss_report


def test_a_lost_job_is_our_fault(site: FileSite) -> None:
    jobs = {
        PLAY_TASK: play_job(site, "", ""),
        BUILD_TASK: build_job(site, {"main.py": ""}),
        TRY_TASK: try_job(site, ""),
    }
    reports = (loss_report(task, msgspec.json.encode(job), "play@here") for task, job in jobs.items())
    (played, match), (built, build), (tried, the_try) = reports
    assert (played, built, tried) == ("matches.match_result", "ladder.build_result", "workshop.try_result")
    assert (match.match_id, match.attempt, match.lease_token, match.seats) == (7, AGAIN_MAX + 1, TOKEN, [])
    assert (build.version_id, build.lease_token) == (3, TOKEN)
    assert (the_try.try_id, the_try.lease_token) == (5, TOKEN)
    assert all(report.platform_fault for report in (match, build, the_try))


@pytest.mark.parametrize(("error", "reports"), [(WorkerLostError(), 1), (ValueError(), 0)], ids=["lost", "other"])
def test_only_a_loss_is_reported(
    site: FileSite, monkeypatch: pytest.MonkeyPatch, error: Exception, reports: int
) -> None:
    sent: list[object] = []
    monkeypatch.setattr(lost_jobs, "send_best_effort", lambda app, task, report: sent.append(report))
    monkeypatch.setattr(lost_jobs.threading.Thread, "start", lambda thread: thread.run())

    app = SimpleNamespace(conf=SimpleNamespace(node_name="play@here"))
    job_lost(SimpleNamespace(name=PLAY_TASK, app=app), error, [msgspec.json.encode(play_job(site, "", ""))])
    assert len(sent) == reports
