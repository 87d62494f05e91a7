"""Loads the house bots of games into the arena, through the same checks as any upload."""

from __future__ import annotations

from itertools import zip_longest
from operator import attrgetter

import structlog
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from accounts.models import User
from common.errors import InputError
from contests.selectors.contests import upload_problem
from games.housebots import HouseBot, housebots_fault, housebots_for
from games.kits import zipped
from games.registry import game_named
from jobs.selectors.languages import languages_all
from ladder.files.bundles import bundle_check
from ladder.models import Bot, BotVersion
from ladder.services.bots import bot_create, bots_lock
from ladder.services.uploads import bundle_store, version_create, version_retry

log = structlog.get_logger(__name__)

OWNER = "house"
DEFAULT_LANGUAGE = "python"
"""The language of every arena; its house bots are loaded before the first worker announces its languages."""


def housebots_load(*, rejected_too: bool = False) -> list[BotVersion]:
    """Bring the house bots of this arena's games up to date with the source tree; it may be repeated.

    It skips bots in languages that no worker has announced (``housebots_complete`` loads them later), bots of games
    that take no uploads, and bots that an upload check refuses or that cannot be read, which it logs. Files that the
    store has lost are stored again.

    Args:
        rejected_too: whether unchanged bots whose last version was rejected are built again.

    Returns:
        The versions whose builds are queued: of new bots, of changed bots, and those that the platform failed to build.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer.
    """
    with transaction.atomic():
        owner = _owner()
        bots_lock(pks=owner.bots.values("pk"))  # in the order of keys; the loop below goes by the source tree
        languages = {DEFAULT_LANGUAGE, *(language.name for language in languages_all())}
        games = [game for game in settings.GAMES if not upload_problem(contest=game)]
        bots = [[bot for bot in _readable(game) if bot.description.language in languages] for game in games]
        loaded = [_load_unless_refused(owner, housebot, rejected_too) for housebot in _in_order(bots)]
        return [version for version in loaded if version is not None]


def _readable(game: str) -> list[HouseBot]:
    """Return the house bots of a game's open contest; none, and log why, if one of them cannot be read."""
    if fault := housebots_fault(game):
        log.error("housebots_left_out", game=game, reason=fault)
        return []
    return housebots_for(game)


def _in_order(housebots: list[list[HouseBot]]) -> list[HouseBot]:
    """Return the house bots, given by game, in the order of their builds, so that every game has its first match soon.

    As many bots of each game as a match has seats come first, then the others. Both parts take one bot of each game in
    turn, the weakest first, since its check match is the shortest.
    """
    tables, others = [], []
    for bots in filter(None, housebots):
        bots.sort(key=attrgetter("description.declared_rating"))
        seats = game_named(bots[0].description.game).players[0]
        tables.append(bots[:seats])
        others.append(bots[seats:])
    rounds = [*zip_longest(*tables), *zip_longest(*others)]
    return [housebot for bots in rounds for housebot in bots if housebot]


def housebots_complete() -> None:
    """Load house bots again after a worker announced a new language or library, if the arena has any house bots."""
    if Bot.objects.filter(is_house=True).exists():
        housebots_load(rejected_too=True)


def _owner() -> User:
    """Lock and return the user who owns the house bots, created without a password if missing.

    The lock makes a second load wait, so that it sees the versions that the first one has created.
    """
    owner, created = User.objects.get_or_create(username=OWNER)
    if created:
        owner.set_unusable_password()
        owner.save()
    return User.objects.select_for_update(no_key=True).get(pk=owner.pk)


def _load_unless_refused(owner: User, housebot: HouseBot, rejected_too: bool) -> BotVersion | None:
    """Load a house bot, or log why an upload check refused it, and return None.

    A user's bot may already have its name, if a worker or a release brought the house bot only later. That must not
    stop the other house bots from loading, nor the arena from starting.
    """
    try:
        with transaction.atomic():
            return _load(owner, housebot, rejected_too)
    except InputError as refusal:
        described = housebot.description
        log.error("housebot_left_out", game=described.game, bot=described.name, reason=str(refusal))
        return None


def _load(owner: User, housebot: HouseBot, rejected_too: bool) -> BotVersion | None:
    bot = _bot(owner, housebot)
    name, data = f"{bot.name}.zip", zipped(housebot.files)
    latest, bundle = bot.versions.order_by("-number").first(), bundle_check(name=name, data=data)
    is_tried_again = rejected_too and latest is not None and latest.state == BotVersion.State.REJECTED
    if latest is None or latest.bundle_digest != bundle.digest or is_tried_again:
        return version_create(owner=owner, contest=bot.contest_id, name=bot.name, upload=ContentFile(data, name=name))
    bundle_store(bundle=bundle)
    return version_retry(version=latest) if latest.state == BotVersion.State.FAILED else None


def _bot(owner: User, housebot: HouseBot) -> Bot:
    """Return the bot of a house bot with its declared rating updated, created if missing."""
    described = housebot.description
    bot = owner.bots.filter(contest=described.game, name=described.name).first()
    if bot is None:
        rating = described.declared_rating
        return bot_create(owner=owner, contest=described.game, name=described.name, declared_rating=rating)
    bot.declared_rating = described.declared_rating
    bot.save(update_fields=["declared_rating"])
    return bot
