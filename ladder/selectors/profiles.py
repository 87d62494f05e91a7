"""Reads what the public page of a user shows."""

from __future__ import annotations

from dataclasses import dataclass

from accounts.access import Reader
from accounts.models import User
from contests.models import Team
from ladder.models import Bot, BotVersion
from ladder.selectors.boards import version_rank
from ladder.selectors.bots import (
    bot_active_version,
    bot_is_seen,
    bot_versions,
    bot_withdrawn,
    bots_of,
    bots_with_versions,
)
from ladder.selectors.ratings import interval_of, rating_of, rating_provisional


@dataclass(frozen=True, slots=True)
class ProfileBot:
    """A bot as its owner's page lists it."""

    bot: Bot
    version: BotVersion | None
    """The version on the board, or None."""

    @property
    def rank(self) -> int | None:
        """The bot's rank on its board, from 1; None without one."""
        return version_rank(version=self.version) if self.version else None

    @property
    def provisional(self) -> bool:
        """Whether its rating is still uncertain; false before its first fit."""
        rating = rating_of(self.version) if self.version else None
        return rating is not None and rating_provisional(rating)

    @property
    def interval(self) -> float | None:
        """Half the width of the rating's interval, Elo points; None before its first fit."""
        rating = rating_of(self.version) if self.version else None
        return interval_of(rating) if rating else None


@dataclass(frozen=True, slots=True)
class Profile:
    """A user and the bots that a reader may see."""

    user: User
    bots: list[ProfileBot]
    versions: list[BotVersion]
    """The newest versions of all bots; the page lists their matches."""

    @property
    def affiliation(self) -> str:
        """The school or team that the user names; empty for a disabled account."""
        return self.user.affiliation if self.user.is_active else ""

    @property
    def about(self) -> str:
        """What the user writes on the profile, as Markdown; empty for a disabled account."""
        return self.user.about if self.user.is_active else ""

    @property
    def present(self) -> list[ProfileBot]:
        """The bots that have not been withdrawn."""
        return [row for row in self.bots if not bot_withdrawn(bot=row.bot)]

    @property
    def withdrawn(self) -> list[Bot]:
        """The bots that have been withdrawn."""
        return [row.bot for row in self.bots if bot_withdrawn(bot=row.bot)]


def bots_in_contest(*, contest: str, reader: Reader) -> list[ProfileBot]:
    """Return a reader's bots in a contest, the best first, without withdrawn ones (2 queries; none for visitors)."""
    if not isinstance(reader, User):
        return []
    bots = bots_of(owner=reader, contest=contest)
    rows = [ProfileBot(bot, bot_active_version(bot=bot)) for bot in bots if not bot_withdrawn(bot=bot)]
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, row.bot.name_key))


def profile_of(*, user: User, reader: Reader) -> Profile:
    """Return what a user's page shows to a reader (3 queries), without bots that the reader may not see."""
    bots = [bot for bot in bots_of(owner=user, reader=reader) if bot_is_seen(bot=bot, reader=reader)]
    shown = [ProfileBot(bot, bot_active_version(bot=bot)) for bot in bots]
    return Profile(user, shown, [version for bot in bots for version in bot_versions(bot=bot)])


def team_bots(*, team: Team, reader: Reader) -> list[ProfileBot]:
    """Return the bots of a team that its page shows to a reader (2 queries, 1 more for members)."""
    bots = bots_with_versions(Bot.objects.filter(team=team))
    return [ProfileBot(bot, bot_active_version(bot=bot)) for bot in bots if bot_is_seen(bot=bot, reader=reader)]


def bots_alone(*, contest: str, user: User) -> list[Bot]:
    """Return the bots of a contest that are a user's alone, by name: a team that the user joins gets them (1 query)."""
    return list(Bot.objects.filter(contest=contest, owner=user, team=None, is_house=False).order_by("name_key"))
