"""What runs after a commit may fail, and then neither the commit nor its caller does."""

from __future__ import annotations

import ast

import pytest

from deploy.settings import ROOT
from jobs.services import heartbeats
from jobs.services.heartbeats import lease_end_announce
from tests.test_layers import LAYERS


def _robust_calls() -> list[tuple[str, ast.expr]]:
    """Return file and function of each call of ``on_commit`` whose errors Django is to log."""
    found = []
    for path in (path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")):
        calls = [node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Call)]
        for call in (call for call in calls if getattr(call.func, "attr", "") == "on_commit"):
            if any(word.arg == "robust" for word in call.keywords):
                found.append((f"{path}:{call.lineno}", call.args[0]))
    return found


def test_each_such_function_has_a_name_that_django_can_log() -> None:
    """Django logs ``__qualname__``, which a ``partial`` does not have: its error would be raised by that instead."""
    calls = _robust_calls()
    assert calls
    assert [place for place, function in calls if not isinstance(function, ast.Lambda | ast.Name | ast.Attribute)] == []


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_does_not_fail_what_was_committed(monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        told.append("away")
        raise ConnectionError

    told: list[str] = []
    monkeypatch.setattr(heartbeats, "leases_end", away)
    lease_end_announce(lease_token="t" * 32)
    assert told == ["away"]
