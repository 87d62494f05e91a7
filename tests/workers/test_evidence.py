"""The evidence of a fault always fits into a message, however long its texts are."""

from __future__ import annotations

import re

import msgspec
import pytest

from core.message import said
from core.referee import SeatFault
from sandbox.api import Evidence
from wire.jobs import FaultReport
from workers.evidence import cut, fault_report


@pytest.mark.parametrize("length", [101, 5_000])
def test_head_and_tail_of_a_longer_text_are_kept(length: int) -> None:
    text = "".join(chr(0x4E00 + number) for number in range(length))
    assert cut(text[:100], 100) == text[:100]
    kept = cut(text, 100)
    head, left_out, tail = re.split(r"\n\[\.\.\. (\d+) characters left out \.\.\.\]\n", kept)
    assert len(kept) <= 100
    assert (text.startswith(head), text.endswith(tail)) == (True, True)
    assert len(head) + int(left_out) + len(tail) == length


def test_however_much_there_is_the_report_can_travel() -> None:
    """The site drops a report that is too large: the match would be played again, and end without a result."""
    much = "much " * 50_000
    evidence = Evidence(last_input=(much, much), last_output=much, stderr=much)
    report = fault_report(SeatFault("crashed", said(much), 3), evidence)
    assert msgspec.convert(msgspec.to_builtins(report), FaultReport) == report
