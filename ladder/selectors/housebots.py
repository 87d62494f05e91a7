"""Finds the house bots that do not play in this arena, and why."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import F, Max, Q, QuerySet

from common.names import name_key, name_look
from common.words.messages import sentence_of
from games.housebots import Description, descriptions_of, housebots_fault
from jobs.selectors.languages import languages_all
from ladder.models import Bot, BotVersion
from ladder.selectors.builds import last_error

State = BotVersion.State


@dataclass(frozen=True, slots=True)
class MissingHouseBot:
    """A house bot of the source tree that does not play in this arena."""

    game: str
    name: str
    language: str = ""
    """Name of its language if no worker has that; else empty."""
    sentence: str = ""
    """Why the house bot could not be built, in the reader's language; empty if nothing failed."""
    error: str = ""
    """The last line that its program or compiler wrote."""
    is_name_taken: bool = False
    """Whether a bot of a user has its name, or a name that looks the same."""


def housebots_missing() -> list[MissingHouseBot]:
    """Return the house bots of this arena's games that do not play (3 queries, and 1 for each that was never loaded).

    The list leaves out bots that are being built, and bots of which an older version plays. It is empty before a worker
    has announced its languages, and in an arena into which no house bot was loaded.
    """
    languages = {language.name for language in languages_all()}
    latest = {(version.bot.game, version.bot.name): version for version in _latest_versions()}
    if not languages or not latest:
        return []
    on_board = BotVersion.objects.filter(bot__is_house=True, state__in=BotVersion.ON_BOARD)
    playing = set(on_board.values_list("bot", flat=True))
    found = []
    for bot in _descriptions():
        version = latest.get((bot.game, bot.name))
        if version and version.state in (State.REJECTED, State.FAILED) and version.bot_id not in playing:
            error = last_error(log=version.log)
            sentence = sentence_of(version.reason, bot.game)
            found.append(MissingHouseBot(bot.game, bot.name, sentence=sentence, error=error))
        elif version is None and bot.language not in languages:
            found.append(MissingHouseBot(bot.game, bot.name, bot.language))
        elif version is None and _is_name_taken(bot):
            found.append(MissingHouseBot(bot.game, bot.name, is_name_taken=True))
    return found


def _descriptions() -> list[Description]:
    readable = (game for game in settings.GAMES if not housebots_fault(game))
    return [bot for game in readable for bot in descriptions_of(game) if bot.plays_openly]


def _is_name_taken(bot: Description) -> bool:
    named = Q(name_key=name_key(bot.name)) | Q(name_look=name_look(bot.name))
    return Bot.objects.filter(named, contest=bot.game, is_house=False).exists()


def _latest_versions() -> QuerySet[BotVersion]:
    versions = BotVersion.objects.filter(bot__is_house=True, bot__contest__in=settings.GAMES)
    latest = versions.annotate(last=Max("bot__versions__number")).filter(number=F("last"))
    return latest.select_related("bot").defer("log").order_by()
