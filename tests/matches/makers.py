"""Rows of the database for tests of pages, as the services leave them."""

from __future__ import annotations

import hashlib
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from core import replay
from ladder.models import Bot, BotVersion, User
from matches.models import Attempt, Match, Result, Seat

DIGEST = "d" * 64


def make_version(name: str, owner: str = "", **fields: Any) -> BotVersion:
    """Make an active version of a new bot of an owner, who is made too if there is none of that name."""
    user = User.objects.filter(username=owner or f"{name} owner").first()
    user = user or User.objects.create_user(username=owner or f"{name} owner", password="secret")
    bot = Bot.objects.create(owner=user, game="kakomimasu", name=name)
    built = {"state": BotVersion.State.ACTIVE, "artifact_digest": DIGEST, "bundle_digest": DIGEST, "bundle_bytes": 1}
    return BotVersion.objects.create(bot=bot, number=1, **built | fields)


def make_match(*versions: BotVersion, **fields: Any) -> Match:
    """Make a queued match of versions in seat order."""
    match = Match.objects.create(game="kakomimasu", rules_version="1", seed=42, encounter="e" * 32, **fields)
    Seat.objects.bulk_create([Seat(match=match, index=i, version=version) for i, version in enumerate(versions)])
    return match


def finish_match(match: Match, records: list[dict[str, Any]]) -> Match:
    """Give a match the result that the records of its replay tell."""
    footer = records[-1]
    attempt = Attempt.objects.create(match=match, number=1, lease_token="f" * 31 + str(match.pk), worker="worker-1")
    Result.objects.create(
        match=match, attempt=attempt, turns=footer["turns"], replay_digest=store_replay(replay.encode(records))
    )
    for seat in match.seats.all():
        fault = footer["faults"][seat.index]
        seat.rank, seat.score = footer["ranks"][seat.index], footer["scores"][seat.index]
        seat.cpu_ms_total, seat.cpu_ms_worst = 100.0, 10.0
        seat.verdict = fault["verdict"] if fault else ""
        seat.save()
    Match.objects.filter(pk=match.pk).update(state=Match.State.FINISHED, finished_at=timezone.now())
    match.refresh_from_db()
    return match


def store_replay(data: bytes) -> str:
    """Store the bytes of a replay as a worker does; return their SHA-256."""
    digest = hashlib.sha256(data).hexdigest()
    if not storages["replays"].exists(digest):
        storages["replays"].save(digest, ContentFile(data))
    return digest
