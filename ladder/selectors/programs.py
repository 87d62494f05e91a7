"""Finds bots with the same program: of one owner, and of several owners."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q

from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, participant_key


@dataclass(frozen=True, slots=True)
class SharedProgram:
    """A program that bots of several owners play with."""

    digest: str
    """SHA-256 of the upload or of the built program, which is the same for all of them."""
    versions: list[BotVersion]
    """The versions with their bots, owners and ratings, the oldest first, since its owner had the program first."""


def bot_with_program(*, bot: Bot, digest: str) -> Bot | None:
    """Return another bot of the same participant with a live version of the same upload, or None (1 query).

    House bots may share programs: the result is None for one, and never a house bot. The digest is that of the bundle.
    """
    if bot.is_house:
        return None
    others = Bot.objects.filter(contest=bot.contest_id, team=bot.team_id, is_house=False).exclude(pk=bot.pk)
    if bot.team_id is None:
        others = others.filter(owner=bot.owner_id)
    return others.filter(versions__bundle_digest=digest, versions__state__in=LIVE_STATES).order_by("pk").first()


def programs_shared(*, contest: str) -> list[SharedProgram]:
    """Return the programs of a contest that bots of several owners play with, the newest first (1 query).

    Two versions have the same program if their uploads or their built programs are equal.
    """
    playing = BotVersion.objects.filter(bot__contest=contest, state__in=BotVersion.ON_BOARD)
    same = Q()
    for digest in ("bundle_digest", "artifact_digest"):
        owners = playing.order_by().values(digest).annotate(owners=Count(participant_key("bot__"), distinct=True))
        same |= Q(**{f"{digest}__in": owners.filter(owners__gt=1).values(digest)})
    groups: defaultdict[str, list[BotVersion]] = defaultdict(list)
    for version in playing.filter(same).select_related("bot__owner", "bot__team", "rating").defer("log").order_by("pk"):
        for digest in dict.fromkeys((version.bundle_digest, version.artifact_digest)):
            groups[digest].append(version)
    return _widest({digest: group for digest, group in groups.items() if len(set(map(_participant, group))) > 1})


def _participant(version: BotVersion) -> int:
    return -version.bot.team_id if version.bot.team_id else version.bot.owner_id


def _widest(groups: dict[str, list[BotVersion]]) -> list[SharedProgram]:
    """Return the groups that no larger group includes: equal uploads usually give equal builds, so most come twice."""
    found: list[SharedProgram] = []
    for digest, versions in sorted(groups.items(), key=lambda group: -len(group[1])):
        members = {version.pk for version in versions}
        if not any(members <= {version.pk for version in program.versions} for program in found):
            found.append(SharedProgram(digest, versions))
    return sorted(found, key=lambda program: -program.versions[-1].pk)
