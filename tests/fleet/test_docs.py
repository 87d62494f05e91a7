"""The administrators' guide and the alerts name exactly the metrics and settings that exist."""

from __future__ import annotations

import re

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from arena.settings import base
from deploy.settings import ROOT
from fleet.metrics import metrics_text
from fleet.selectors.queue import QUEUE_SECONDS_WANTED
from tests.fleet.makers import make_worker
from wire.jobs import LEASE_SECONDS

pytestmark = pytest.mark.django_db

GUIDE = "".join(page.read_text() for page in sorted((ROOT / "docs" / "run").glob("*.md")))
ALERTS = yaml.safe_load((ROOT / "deploy" / "alerts.yaml").read_text())
NAME = re.compile(r"\bbanzuke_\w+")


def test_every_metric_is_explained_and_no_other_and_alerts_look_at_those_that_there_are() -> None:
    make_worker()
    families = list(text_string_to_metric_families(metrics_text().decode()))
    exposed = {f"{family.name}_total" if family.type == "counter" else family.name for family in families}
    assert set(NAME.findall(GUIDE)) == exposed
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert set(NAME.findall(" ".join(rule["expr"] for rule in rules))) <= exposed
    assert all(rule["annotations"]["summary"].endswith(".") for rule in rules)


def test_the_documented_target_of_scaling_is_the_real_one() -> None:
    assert f"below {QUEUE_SECONDS_WANTED} seconds" in GUIDE
    assert f"oldest / {QUEUE_SECONDS_WANTED})" in GUIDE


def test_the_limits_of_visitors_are_those_of_the_settings() -> None:
    table = GUIDE.partition("## Limits of visitors")[2].partition("```")[0]
    rows = [[f"`{limit}`", f"`{name}`"] for name, limit in base.ACCOUNT_RATE_LIMITS.items()]
    rows += [[f"`{limit}`", f"(`{name}`)"] for name, limit in base.API_RATES.items()]
    rows += [[f"`{name}`", f"{getattr(base, name)}"] for name in ("USER_VERSIONS_PER_HOUR", "USER_ACTIVE_BOTS_MAX")]
    rows += [[f"`{name}`", f"{getattr(base, name) >> 20} MiB"] for name in ("USER_BYTES_MAX", "UPLOAD_MAX_BYTES")]
    lines = table.splitlines()
    assert [row for row in rows if not any(all(cell in line for cell in row) for line in lines)] == []


def rows_of_site_env() -> dict[str, str]:
    table = GUIDE.partition("| variable of `/etc/banzuke/site.env` |")[2].partition("\n\n")[0]
    return {row.split("`")[1]: row for row in table.splitlines() if row.startswith("| `")}


def test_settings_that_are_named_exist() -> None:
    places = [*(ROOT / "arena" / "settings").glob("*.py"), ROOT / "wire" / "jobs.py"]
    code = "".join(path.read_text() for path in places)
    rows = rows_of_site_env()
    assert len(rows) > 15
    assert [name for name in rows if f'"{name}"' not in code] == ["DJANGO_SETTINGS_MODULE"]


@pytest.mark.parametrize("name", ["PROCESSES_ASSUMED", "MATCHES_IN_FLIGHT", "BANZUKE_URL", "LEASE_SECONDS"])
def test_documented_defaults_are_the_real_ones(name: str) -> None:
    default = f"{LEASE_SECONDS:g}" if name == "LEASE_SECONDS" else getattr(base, name)
    assert re.search(rf"default `?{default}\b", rows_of_site_env()[name])


def test_quoted_sentences_of_healthz_are_in_the_code() -> None:
    """An administrator searches the guide for the sentence that /healthz shows."""
    page = (ROOT / "docs" / "run" / "troubleshooting.md").read_text()
    quoted = re.findall(r"^\| `[\w ]+: ([^`]+)` \|", page, re.MULTILINE)
    words = [piece.strip() for text in quoted for piece in text.split("...") if piece.strip()]
    assert len(words) > 5
    code = "".join(
        path.read_text() for folder in ("arena", "fleet", "jobs", "wire") for path in (ROOT / folder).rglob("*.py")
    )
    assert [piece for piece in words if piece not in code] == []
