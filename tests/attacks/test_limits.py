"""Bots get the limits of their game, and no message can give a bot more than a worker allows."""

from __future__ import annotations

from dataclasses import fields

import msgspec
import pytest

from games.registry import game_named
from sandbox import languages
from sandbox.api import Limits
from tests.words import english
from tests.workers.conftest import GOOD_BOT, FileSite, play_job
from wire.jobs import BotLimits, PlayJob
from workers.play import Tools, limits_of, match_play

HOARD = "hoard = bytearray({} << 20)\n"
"""Uses the memory before the first turn of a bot, since filling it takes more CPU time than a turn has."""
SHORT = {"options": {"board": "A-1", "turns": 2}}


@pytest.mark.parametrize(
    ("limits", "used_mib", "sentence"),
    [(BotLimits(), 300, "256 MiB"), (BotLimits(memory_mib=800), 300, None), (BotLimits(memory_mib=80), 100, "80 MiB")],
)
def test_a_bot_gets_the_memory_of_its_game(
    site: FileSite, tools: Tools, limits: BotLimits, used_mib: int, sentence: str | None
) -> None:
    report = match_play(play_job(site, HOARD.format(used_mib) + GOOD_BOT, GOOD_BOT, limits=limits, **SHORT), tools)
    assert report.platform_fault is None
    if sentence is None:
        assert report.seats[0].fault is None
    else:
        assert report.seats[0].fault.verdict == "memory"
        assert sentence in english(report.seats[0].fault.why)


STAYS = """
rivals = int(input())
while True:
    input()
    x, y, back = input().split()
    for line in range(rivals + 20):
        input()
    print(x, y)
"""
"""Plays Back to the Code, and does nothing."""


@pytest.mark.test_all
@pytest.mark.parametrize(("used_mib", "verdict"), [(700, None), (800, "memory")])
def test_in_a_game_of_codingame_a_bot_holds_700_mib(
    site: FileSite, tools: Tools, used_mib: int, verdict: str | None
) -> None:
    limits = BotLimits(**game_named("back_to_the_code").bot_limits)
    match = {"game": "back_to_the_code", "options": {"rounds": 5}, "rules_version": "2", "limits": limits}
    report = match_play(play_job(site, HOARD.format(used_mib) + STAYS, STAYS, **match), tools)
    assert report.platform_fault is None
    fault = report.seats[0].fault
    assert (fault and fault.verdict) == verdict
    assert fault is None or "limit of 768 MiB" in english(fault.why)


def test_default_limits_of_messages_are_those_of_the_sandbox() -> None:
    assert limits_of(BotLimits()) == Limits()
    assert {*BotLimits.__struct_fields__} - {"time_percent"} < {field.name for field in fields(Limits)}


@pytest.mark.parametrize("limit", BotLimits.__struct_fields__)
def test_a_job_with_limits_above_the_maximum_is_malformed(site: FileSite, limit: str) -> None:
    job = msgspec.to_builtins(play_job(site, GOOD_BOT, GOOD_BOT))
    job["limits"] = {limit: 1_000_000}
    with pytest.raises(msgspec.ValidationError, match=rf"<= \d+ - at `\$.limits.{limit}`"):
        msgspec.convert(job, PlayJob)


@pytest.mark.parametrize(
    ("name", "flag"),
    [("csharp", "soft-heap-limit={}m"), ("java", "-Xmx{}m"), ("javascript", "--max-old-space-size={}")],
)
def test_a_runtime_gets_the_size_of_its_heap(name: str, flag: str) -> None:
    for memory_mib, heap_mib in ((256, 160), (768, 576)):
        assert flag.format(heap_mib) in " ".join(
            languages.language(name).command("Main.x", Limits(memory_mib=memory_mib))
        )
