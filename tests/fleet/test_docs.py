"""The administrators' guide and the alerts name what there is, and all of it."""

from __future__ import annotations

import re

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from deploy.settings import ROOT
from fleet.exposition import metrics_text
from fleet.selectors.queue import QUEUE_SECONDS_WANTED
from tests.fleet.makers import make_worker

pytestmark = [pytest.mark.database, pytest.mark.django_db]

GUIDE = (ROOT / "docs" / "administrators.md").read_text()
ALERTS = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text())
NAME = re.compile(r"\bbanzuke_\w+")


def exposed() -> set[str]:
    make_worker()
    families = list(text_string_to_metric_families(metrics_text().decode()))
    return {f"{family.name}_total" if family.type == "counter" else family.name for family in families}


def test_every_metric_is_explained_and_no_other() -> None:
    assert set(NAME.findall(GUIDE)) == exposed()


def test_alerts_look_at_metrics_that_there_are() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert set(NAME.findall(" ".join(rule["expr"] for rule in rules))) <= exposed()
    assert all(rule["annotations"]["summary"].endswith(".") for rule in rules)


def test_the_aim_of_scaling_is_the_one_that_is_told() -> None:
    assert f"below {QUEUE_SECONDS_WANTED} seconds" in GUIDE
    assert f"oldest / {QUEUE_SECONDS_WANTED})" in GUIDE


def test_files_and_settings_that_are_named_exist() -> None:
    for path in re.findall(r"`((?:deploy|tests|ladder|docs)/[\w./]+)`", GUIDE):
        assert (ROOT / path).exists(), path
    places = [*(ROOT / "ladder" / "settings").glob("*.py"), ROOT / "workers" / "jobs.py"]
    code = "".join(path.read_text() for path in places)
    table = GUIDE.partition("`/etc/banzuke/site.env`:")[2].partition("What is empty")[0]
    for name in re.findall(r"`([A-Z_]{4,})`", table):
        assert f'"{name}"' in code or name == "DJANGO_SETTINGS_MODULE", name
