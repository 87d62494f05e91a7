"""House bots: loaded from the source tree like anybody's upload."""

from __future__ import annotations

from itertools import zip_longest

import structlog
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction

from accounts.models import User
from common.errors import InputError
from games.housebots import HouseBot, housebots_read
from games.kits import zipped
from games.registry import game_named
from jobs.selectors.languages import languages_all
from ladder.files.bundles import bundle_check
from ladder.models import Bot, BotVersion
from ladder.selectors.games import upload_problem
from ladder.services.uploads import bot_create, bundle_store, version_create, version_retry
from ladder.services.versions import bots_lock

log = structlog.get_logger(__name__)

OWNER = "house"
EVERYWHERE = "python"
"""The language that every arena has: its bots are loaded before a worker has told."""


def housebots_load(*, rejected_too: bool = False) -> list[BotVersion]:
    """Bring the house bots of this arena's games up to date with the source tree. May be repeated.

    Those in languages that no worker has announced are left alone: they come with the first worker that has them. So
    are those of games that take no bots, and one that is refused; the log says why. What the store has lost of them is
    stored again.

    Args:
        rejected_too: whether those are built again that were rejected as they are.

    Returns:
        The versions that are built anew: of new and of changed bots, and what our platform failed to build before.

    Raises:
        ValueError: a description in the source tree is wrong.
        StoreAway: the disk is full, or the bucket away.
    """
    with transaction.atomic():
        owner = _owner()
        bots_lock(pks=owner.bots.values("pk"))  # all before any is changed: their order here is the source tree's
        languages = {EVERYWHERE, *(language.name for language in languages_all())}
        every = [bot for bot in housebots_read() if bot.description.language in languages]
        games = [game for game in settings.GAMES if not upload_problem(game=game)]
        loaded = [_load_unless_refused(owner, housebot, rejected_too) for housebot in _in_order(every, games)]
        return [version for version in loaded if version is not None]


def _in_order(housebots: list[HouseBot], games: list[str]) -> list[HouseBot]:
    """Return the house bots of games in the order in which they are built: every game has its first match soon.

    First come as many of each game as a match has seats, then the others; game after game one of each, the weakest
    first, since it is the quickest to be tried.
    """
    tables, others = [], []
    for game in games:
        bots = sorted((bot for bot in housebots if bot.description.game == game), key=_declared_rating)
        seats = game_named(game).players[0]
        tables.append(bots[:seats])
        others.append(bots[seats:])
    rounds = [*zip_longest(*tables), *zip_longest(*others)]
    return [housebot for bots in rounds for housebot in bots if housebot]


def _declared_rating(housebot: HouseBot) -> float:
    return housebot.description.declared_rating


def housebots_complete() -> None:
    """Load the house bots that a new language or library makes possible, in an arena that has house bots at all."""
    if Bot.objects.filter(is_house=True).exists():
        housebots_load(rejected_too=True)


def _owner() -> User:
    """Return the user who owns the house bots; nobody can sign in as it.

    Locked: of two who load them at once, the second sees what the first has made.
    """
    owner, created = User.objects.get_or_create(username=OWNER)
    if created:
        owner.set_unusable_password()
        owner.save()
    return User.objects.select_for_update(no_key=True).get(pk=owner.pk)


def _load_unless_refused(owner: User, housebot: HouseBot, rejected_too: bool) -> BotVersion | None:
    """Load a house bot, or log why it cannot be.

    A user may have taken its name before it came: while no worker had its language, or before the version of the arena
    that brings it. That must not keep the other house bots out, or the arena from starting.
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
        return version_create(owner=owner, game=bot.game, name=bot.name, upload=ContentFile(data, name=name))
    bundle_store(bundle=bundle)
    return version_retry(version=latest) if latest.state == BotVersion.State.FAILED else None


def _bot(owner: User, housebot: HouseBot) -> Bot:
    """Return the bot with its declared rating, made if there is none."""
    described = housebot.description
    bot = owner.bots.filter(game=described.game, name=described.name).first()
    if bot is None:
        rating = described.declared_rating
        return bot_create(owner=owner, game=described.game, name=described.name, declared_rating=rating)
    bot.declared_rating = described.declared_rating
    bot.save(update_fields=["declared_rating"])
    return bot
