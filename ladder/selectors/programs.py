"""Which bots have the same program: of one owner, and of several."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q

from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES


@dataclass(frozen=True, slots=True)
class SharedProgram:
    """A program that bots of several owners play with."""

    digest: str
    """Of the upload or of what was built of it: what they have in common."""
    versions: list[BotVersion]
    """With their bots, owners and ratings; the oldest first: who had it before the others."""


def bot_with_program(*, bot: Bot, digest: str) -> Bot | None:
    """Return another bot of the same owner and game that plays with an upload, or soon will, or None (1 query).

    House bots are left out, on both sides: an arena has the ones that it has.

    Args:
        bot: the one that the upload is for.
        digest: of the upload.
    """
    if bot.is_house:
        return None
    others = Bot.objects.filter(owner=bot.owner_id, game=bot.game, is_house=False).exclude(pk=bot.pk)
    return others.filter(versions__bundle_digest=digest, versions__state__in=LIVE_STATES).order_by("pk").first()


def programs_shared(*, game: str) -> list[SharedProgram]:
    """Return the programs of a game that bots of several owners play with (1 query), the newest find first.

    Two versions have the same program if their uploads are equal, or what was built of these.
    """
    playing = BotVersion.objects.filter(bot__game=game, state__in=BotVersion.ON_BOARD)
    same = Q()
    for digest in ("bundle_digest", "artifact_digest"):
        owners = playing.order_by().values(digest).annotate(owners=Count("bot__owner", distinct=True))
        same |= Q(**{f"{digest}__in": owners.filter(owners__gt=1).values(digest)})
    groups: defaultdict[str, list[BotVersion]] = defaultdict(list)
    for version in playing.filter(same).select_related("bot__owner", "rating").defer("log").order_by("pk"):
        for digest in dict.fromkeys((version.bundle_digest, version.artifact_digest)):
            groups[digest].append(version)
    return _widest({digest: group for digest, group in groups.items() if len({row.bot.owner_id for row in group}) > 1})


def _widest(groups: dict[str, list[BotVersion]]) -> list[SharedProgram]:
    """Return each group but those that another one holds: equal uploads are mostly built into equal programs."""
    found: list[SharedProgram] = []
    for digest, versions in sorted(groups.items(), key=lambda group: -len(group[1])):
        members = {version.pk for version in versions}
        if not any(members <= {version.pk for version in program.versions} for program in found):
            found.append(SharedProgram(digest, versions))
    return sorted(found, key=lambda program: -program.versions[-1].pk)
