"""Messages between a site and workers of another release: the newest one, whose own code makes and reads them."""

from __future__ import annotations

import importlib
import json
import os
import pkgutil
from pathlib import Path
from typing import Any

import msgspec
import pytest

import wire
from deploy.settings import ROOT
from tests.releases import TODAY, newest_release
from tests.wire.samples import make, types
from wire.jobs import BuildProgress, Heartbeat, PlayJob, WorkerReport

TOGETHER = "Update site and workers together"
"""What the changelog's newest section says when they do not understand each other."""


def test_site_and_workers_of_the_newest_release_and_of_today_understand_each_other(tmp_path: Path) -> None:
    if TOGETHER in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1]:
        pytest.xfail(f"The changelog says: {TOGETHER}.")
    release = newest_release(tmp_path / "release")

    def read_by_release(messages: dict[str, str]) -> Any:
        return json.loads(release.run("-m", "tests.wire.samples", "read", env=os.environ, told=json.dumps(messages)))

    theirs = json.loads(release.run("-m", "tests.wire.samples", "make", env=os.environ))
    for length in ("shortest", "longest"):
        messages = {name: found[length] for name, found in theirs.items()}
        told = json.dumps(messages)
        assert json.loads(TODAY.run("-m", "tests.wire.samples", "read", env=os.environ, told=told)) == {}
    ours = make()
    assert read_by_release({name: found["shortest"] for name, found in ours.items()}) == {}
    # A job with a new field is for workers that know it; the site reads of reports what it knows.
    assert read_by_release({name: found["longest"] for name, found in ours.items() if found["is_report"]}) == {}


def test_every_type_of_message_has_samples() -> None:
    made = make()
    assert made.keys() == types().keys()
    for module in pkgutil.iter_modules(wire.__path__, "wire."):
        importlib.import_module(module.name)
    alone = json.loads(TODAY.run("-m", "tests.wire.samples", "make", env=os.environ))
    assert alone.keys() == types().keys(), "a release's command imports all modules that have types"
    assert {"PlayJob", "TableJob", "BuildJob", "TryJob", "WorkerBeat", "Question", "Answer", "Signature"} <= made.keys()
    assert '"lacks":' in made["MatchReport"]["longest"]


def test_the_site_reads_what_it_knows_of_a_later_workers_report() -> None:
    body = json.loads(make()["Heartbeat"]["longest"]) | {"of_a_later_release": 1}
    assert msgspec.json.decode(json.dumps(body), type=Heartbeat).worker == "a"
    assert issubclass(BuildProgress, WorkerReport)


def test_a_worker_drops_a_job_of_a_later_site_that_means_more_than_it_knows() -> None:
    """It would play another match than the one that is meant."""
    known = make()["PlayJob"]["shortest"]
    assert msgspec.json.decode(known, type=PlayJob)
    with pytest.raises(msgspec.ValidationError, match="unknown field `of_a_later_release`"):
        msgspec.json.decode(json.dumps(json.loads(known) | {"of_a_later_release": 1}), type=PlayJob)


def test_a_job_is_sent_without_fields_that_have_their_defaults() -> None:
    """So a worker that does not know a field plays all matches that do without it."""
    assert "played" not in make()["TableJob"]["shortest"]
    assert "played" in make()["TableJob"]["longest"]
