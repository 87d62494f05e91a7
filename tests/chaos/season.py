"""A season of short matches between bots whose every answer is known, so that each match has one possible result."""

from __future__ import annotations

import random

import msgspec

from core.game import JsonObject
from core.referee import Reply, SeatInfo, Turn, drive, play
from core.tars import ArchiveEntry, tar_of
from games.registry import game_named
from jobs.files.storage import ARTIFACTS, file_store
from ladder.models import BotVersion
from matches.models import Match
from matches.services.ratings import match_log
from rating.log import Finished, MatchLog
from tests.matches.makers import make_version, queue_match
from tests.workers.conftest import rules_version

SEED = 42
OPTIONS = {"board": "A-1", "agents": 1, "turns": 1}
ORDERS = {f"put {x}": f"PUT {x} {y}" for x, y in [(0, 0), (2, 7), (3, 1), (5, 5), (7, 3), (9, 9)]}
"""The answer of each bot to every input."""
KILLER = "killer.py"
"""The bot whose worker the test kills, as a bot could do that gets out of the sandbox."""

BOT = """
seat, players, width, height, agents, turns = map(int, input().split())
for line in range(height + 1 + players + height + players + 1):
    input()
print("{order}", flush=True)
"""
KILLER_BOT = "import time\ntime.sleep(20)\n"


class Season:
    """The season's matches, queued a few at a time as pairing does."""

    def __init__(self, rng: random.Random, matches: int, killers: int) -> None:
        self._rng = rng
        self._left = [KILLER] * killers + [""] * (matches - killers)
        self._versions = {name: make_bot(name, BOT.format(order=order)) for name, order in ORDERS.items()}
        self._killer = make_bot("killer", KILLER_BOT, entry=KILLER)
        self.killer_artifact = self._killer.artifact_digest

    def fill(self, in_flight: int) -> None:
        """Queue matches until so many wait or run."""
        missing = in_flight - self.in_flight()
        for _ in range(min(missing, len(self._left))):
            self._hand_out(self._left.pop(0))

    def _hand_out(self, kind: str) -> None:
        first, second = self._rng.sample(sorted(self._versions), 2)
        versions = [self._versions[first], self._killer if kind == KILLER else self._versions[second]]
        hand_out(*versions, options=OPTIONS)

    def in_flight(self) -> int:
        return Match.objects.filter(state__in=[Match.State.QUEUED, Match.State.RUNNING]).count()

    def over(self) -> bool:
        return not self._left and not self.in_flight()

    def undisturbed(self) -> MatchLog:
        """Return the log that the finished matches would have without any failure, in another order."""
        log = match_log(contest="kakomimasu")
        names = {version.pk: name for name, version in self._versions.items()}
        matches = list(log.matches)
        self._rng.shuffle(matches)
        finished = {match: _played(log.matches[match], names) for match in matches}
        return MatchLog(log.versions, finished)


def _played(finished: Finished, names: dict[int, str]) -> Finished:
    """Play a match in this process, without worker and sandbox, and return the log's line with its result."""
    orders = [ORDERS[names[player]] for player in finished.players]

    def answer(turn: Turn) -> dict[int, Reply]:
        return {ask.seat: Reply((orders[ask.seat],)) for ask in turn.asks}

    seats = [SeatInfo(names[player], "1", "0" * 64) for player in finished.players]
    outcome, _ = drive(play(game_named("kakomimasu"), seed=SEED, seats=seats, options=OPTIONS), answer)
    return msgspec.structs.replace(finished, ranks=list(outcome.ranks))


def hand_out(*versions: BotVersion, options: JsonObject) -> Match:
    """Put a match of Kakomimasu into the queue."""
    pks = [version.pk for version in versions]
    return queue_match(*pks, rules_version=rules_version(), options=options, seed=SEED)


def make_bot(name: str, source: str, entry: str = "main.py") -> BotVersion:
    """Make an active version of a new bot with one file of Python."""
    bundle = tar_of([ArchiveEntry(entry, source.encode())])
    digest = file_store(store=ARTIFACTS, chunks=[bundle], max_bytes=len(bundle)).digest
    return make_version(name, artifact_digest=digest, language="python", entry=entry)
