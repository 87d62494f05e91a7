"""A contest in its finals, whose matches the tests play themselves."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.files.storage import storages
from django.utils import timezone

from contests.models import Contest
from jobs.files.storage import BOARDS
from ladder.models import Bot, BotVersion
from ladder.services.versions import version_transition
from matches.models import Match, Seat
from matches.selectors.finals import final_progress
from matches.services.final_boards import final_boards_sign
from tests.contests.playing import make_contest, make_entry

GAMES = 4
NOW = timezone.now()
FREEZE = NOW + timedelta(days=1)
LATER = FREEZE + timedelta(hours=1)


def entry(contest: Contest, name: str, **fields: Any) -> BotVersion:
    """Make a version of a new bot with an owner and a program of its own."""
    return make_entry(contest, name, **{"artifact_digest": name.encode().hex().ljust(64, "0")[:64], **fields})


def building(contest: Contest, name: str, **fields: Any) -> BotVersion:
    return entry(contest, name, state=BotVersion.State.BUILDING, artifact_digest="", **fields)


def spring() -> Contest:
    return Contest.objects.get(pk="spring")


def field(*names: str, **fields: Any) -> list[BotVersion]:
    """Make an open contest that freezes at ``FREEZE``, with bots that have not played yet."""
    contest = make_contest(**{"final_games": GAMES, "frozen_at": FREEZE, **fields})
    return [entry(contest, name) for name in names or ("Alpha", "Beta", "Gamma")]


def play_waiting(*, limit: int | None = None) -> int:
    """Play the rated matches that wait, the bot whose name comes first wins; return how many there were."""
    waiting = list(Match.objects.filter(contest="spring", state=Match.State.QUEUED).order_by("pk")[:limit])
    for match in waiting:
        seats = sorted(match.seats.select_related("version__bot"), key=lambda seat: seat.version.bot.name)
        for rank, seat in enumerate(seats, start=1):
            Seat.objects.filter(pk=seat.pk).update(rank=rank, score=-rank)
    Match.objects.filter(pk__in=[match.pk for match in waiting]).update(
        state=Match.State.FINISHED, finished_at=timezone.now(), lease_token="", lease_ends_at=None
    )
    return len(waiting)


def play_to_the_end(step: Callable[[], None] = final_boards_sign) -> None:
    """Let managers and workers go on until the board is signed."""
    for _ in range(100):
        step()
        if spring().final_stage == Contest.FinalStage.SIGNED:
            return
        play_waiting()
    raise AssertionError(f"The finals stand still: {final_progress(contest=spring())}.")


def games() -> dict[str, int]:
    rated = Match.objects.rated().filter(contest="spring")
    bots = Bot.objects.filter(contest="spring")
    return {bot.name: Seat.objects.filter(match__in=rated, version__bot=bot).count() for bot in bots}


def board() -> dict[str, Any]:
    with storages[BOARDS].open(spring().board_digest) as file:
        return dict(json.loads(file.read()))


def built(version: BotVersion) -> None:
    digest = version.bot.name.encode().hex().ljust(64, "0")[:64]
    version_transition(version=version, to=BotVersion.State.ACTIVE, artifact_digest=digest)
