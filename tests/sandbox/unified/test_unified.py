"""Tests that read control group files, run with version 2; ``python -m tests.sandbox.unified`` runs all others."""

from __future__ import annotations

import re

import pytest

from tests.sandbox.unified import kernel

pytestmark = pytest.mark.test_all

WHAT = ("memory_is_limited_for_all", "children_are_charged_too", "process_limit", "descriptors_do_not_leak")


def test_limits_hold_in_groups_of_version_2() -> None:
    if why := kernel.missing():
        pytest.skip(why)
    files = ("tests/sandbox/test_contract.py", "tests/attacks/test_attacks.py")
    status, output = kernel.tests_run(["-q", *files, "-k", f"bubblewrap and ({' or '.join(WHAT)})"], seconds=180)
    assert status == 0, output
    assert re.search(rf"\b{len(WHAT)} passed", output), output
