"""Numbers in docs/ are those of the code; a constant is found by its name, in any module."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SKIPPED = {"tests", "docs", "locale", "node_modules"}

SAID: list[tuple[str, str, str, Callable[[Any], Any]]] = [
    ("run/backups.md", "plays at most {} until its rating", "SETTLED_GAMES", int),
    ("run/backups.md", "A user may keep {} MiB", "USER_BYTES_MAX", lambda size: size >> 20),
    ("run/backups.md", "keeps the {} bots that it played last", "KEPT_MAX", int),
    ("run/games.md", "until its interval is ± {},", "SETTLED_INTERVAL", int),
    ("run/games.md", "one of the top ten until it is ± {},", "TOP_SETTLED_INTERVAL", int),
    ("run/games.md", "Lists count no further than {:,} rows", "ROWS_COUNTED_MAX", int),
    ("run/games.md", "one action takes at most {}.", "ROWS_ACTED_ON_MAX", int),
    (
        "run/games.md",
        "Of the pairs listed, one in {} may be there by chance",
        "RATE@collusion",
        {0.05: "twenty"}.get,
    ),
    ("run/hosts.md", "The broker takes {} MiB at most", "BROKER_MEMORY_MIB", int),
    ("run/hosts.md", "enough for some {}.", "BROKER_MEMORY_MIB", lambda mib: mib // 8 // 10 * 10),
    ("run/hosts.md", "workers try for {} minutes to hand in", "PATIENCE_SECONDS", {300: "five"}.get),
    ("run/hosts.md", "the last {} (or `--hours N`)", "SINCE_SECONDS", {3_600: "hour"}.get),
    ("run/backups.md", "for some {} hours", "ATTEMPTS_LACKING_MAX", {1_000: "sixteen"}.get),
    (
        "run/install.md",
        "answers {} requests of one visitor at once",
        "NETWORK_LIMITS",
        lambda limits: limits["requests"],
    ),
    ("run/install.md", "of {} for each web process", "DATABASE_POOL", lambda pool: pool["max_size"]),
    (
        "run/security.md",
        "After {} wrong codes",
        "ACCOUNT_RATE_LIMITS@settings.base",
        lambda limits: re.findall(r"(\d+)/300s", limits["login_failed"])[0],
    ),
    ("run/monitoring.md", "below {:,} no work is dispatched", "FILES_MIN", int),
    ("run/troubleshooting.md", "If more than {:,} reports wait", "REPORTS_MAX", int),
    ("run/troubleshooting.md", "up to {} connections", "DATABASE_POOL", lambda pool: pool["max_size"]),
    ("run/troubleshooting.md", "{} in all, of 100", "DATABASE_POOL", lambda pool: 2 * pool["max_size"] + 1),
    ("run/hosts.md", "works once, within a {}.", "INVITATION_SECONDS", {86_400: "day"}.get),
    ("play/README.md", "after {} matches at the latest", "SETTLED_GAMES", int),
    ("play/faults.md", "in {} of its last five rated matches", "FAULTS_MAX@probation", {3: "three"}.get),
    ("play/faults.md", "in three of its last {} rated matches", "MATCHES_JUDGED", {5: "five"}.get),
    ("play/faults.md", "on at least {} seeds", "SEEDS_MIN", {2: "two"}.get),
    ("play/faults.md", "each of the last {} turns", "TURNS_KEPT", int),
    ("understand/replays.md", "a match makes more than {} MiB of lines", "MATCH_BYTES_MAX", lambda size: size >> 20),
    (
        "understand/replays.md",
        "more than {} listeners among the guests",
        "NETWORK_LIMITS",
        lambda limits: limits["listeners"],
    ),
    ("understand/replays.md", "more than {} of one user", "USER_LIMITS", lambda limits: limits["listeners"]),
    (
        "play/tables.md",
        "A user may have {} open tables",
        "USER_LIMITS",
        lambda limits: {2: "two"}.get(limits["tables"]),
    ),
    ("understand/replays.md", "or {} at one web process", "LISTENERS_MAX", int),
    ("understand/replays.md", "in batches {} times a second", "BATCH_SECONDS", {0.2: "five"}.get),
    ("understand/ratings.md", "at 1500 ± {} (standard deviation)", "PRIOR_SD", int),
    ("understand/ratings.md", "within {} of its parent", "LINEAGE_SD", int),
    ("understand/ratings.md", "below {} matches or while", "PROVISIONAL_GAMES", int),
    ("understand/ratings.md", "has leagues from {} bots on", "BOTS_MIN@leagues", int),
    ("understand/ratings.md", "or is at most ± {}. From", "SURE_INTERVAL", int),
    ("understand/ratings.md", "wider than ± {}, rank", "PROVISIONAL_INTERVAL", int),
    ("understand/ratings.md", "plays its first {} matches before all", "PROVISIONAL_GAMES", int),
    ("understand/ratings.md", "at ± {} or after 280", "SETTLED_INTERVAL", int),
    ("understand/ratings.md", "at ± 50 or after {} rated matches", "SETTLED_GAMES", int),
    ("understand/ratings.md", "wider than ± {}, until", "ROUGH_INTERVAL", int),
    ("understand/ratings.md", "until they have played {} matches", "ROUGH_GAMES", int),
    ("understand/ratings.md", "± {} standard deviations", "INTERVAL_SDS@paired", float),
    ("understand/sandbox_internals.md", "for the last {} turns of each seat", "TURNS_KEPT", int),
    ("understand/workers.md", "while more than {} reports wait", "REPORTS_FEW", int),
    ("understand/workers.md", "the site's disk has less than {} MiB free", "DISK_SPACE_MIB_MIN@storage", int),
    ("understand/workers.md", "A lease lasts {} s", "LEASE_SECONDS@jobs", int),
    ("understand/workers.md", "is renewed every {} s", "HEARTBEAT_SECONDS@jobs", int),
    ("understand/workers.md", "may be wrong by {} minutes", "CLOCKS_APART_SECONDS", {600: "ten"}.get),
    ("understand/workers.md", "one job in {} is a match of house bots", "SHARES", lambda shares: sum(shares.values())),
    (
        "understand/workers.md",
        "it loses the job {} minutes after the message",
        "JOB_SECONDS_MAX",
        lambda job: (job + 1_800) // 60,
    ),
    ("understand/workers.md", "disk has less than {} MiB free | others", "FREE_MIB_MIN@workers", int),
    ("run/hosts.md", "silent for {} beats", "SILENT_SECONDS", {20: "four"}.get),
    ("understand/workers.md", "received none of the last {} pings", "INTERVALS_MAX", {6: "six"}.get),
    (
        "run/hosts.md",
        "After a {} of silence the site forgets a worker",
        "FORGET_SECONDS",
        {604_800: "week"}.get,
    ),
    ("run/workers_security.md", "no message is larger than {} MiB", "REPLAY_MAX_BYTES", lambda size: size >> 20),
    ("run/workers_security.md", "four files of at most {} MiB", "REPLAY_MAX_BYTES", lambda size: size >> 20),
    ("run/workers_security.md", "for each build two of {} MiB", "TRANSFER_MAX_BYTES", lambda size: size >> 20),
]


@cache
def sources() -> dict[str, str]:
    """Return the source of each of our modules, by its dotted name."""
    folders = [
        folder for folder in ROOT.iterdir() if folder.is_dir() and folder.name not in SKIPPED and folder.name[0] != "."
    ]
    files = [file for folder in folders for file in folder.rglob("*.py")]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts): file.read_text() for file in files}


def constant(name: str) -> object:
    """Return the value of a constant; ``NAME@part`` names a part of its module, if several modules have the name."""
    defined, _, place = name.partition("@")
    definition = re.compile(rf"^{defined}(?:: [^=\n]+)? = ", re.MULTILINE)
    (module,) = [module for module, text in sources().items() if place in module and definition.search(text)]
    return getattr(importlib.import_module(module), defined)


@pytest.mark.parametrize(
    ("page", "words", "name", "shown"), SAID, ids=[f"{page}: {words}" for page, words, _, _ in SAID]
)
def test_a_page_says_what_the_code_does(page: str, words: str, name: str, shown: Callable[[Any], Any]) -> None:
    text = " ".join((ROOT / "docs" / page).read_text().split())
    assert words.format(shown(constant(name))) in text


def test_the_shares_of_the_queue_are_those_of_the_code() -> None:
    table = (
        (ROOT / "docs" / "understand" / "workers.md").read_text().partition("| class | share |")[2].partition("\n\n")[0]
    )
    rows = {name: int(share) for name, share in re.findall(r"^\| `(\w+)` \| (\d+) \|", table, re.MULTILINE)}
    assert rows == constant("SHARES")


def test_the_firewall_counts_as_the_page_says() -> None:
    page = (ROOT / "docs" / "run" / "install.md").read_text()
    limits = {
        limit
        for name in ("site", "broker")
        for limit in re.findall(r"count over (\d+)", (ROOT / "deploy" / f"{name}.nft").read_text())
    }
    assert [f"holds more than {limit} connections" in " ".join(page.split()) for limit in limits] == [True]
