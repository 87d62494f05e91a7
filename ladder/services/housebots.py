"""Loads the house bots of games into the arena, through the same checks as any upload."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import zip_longest

import structlog
from django.conf import settings
from django.core.files.base import ContentFile
from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from accounts.models import User
from common.errors import InputError
from contests.models import Contest
from contests.selectors.contests import contest_ruleset, tables_of, takes_bots
from games.housebots import HouseBot, housebots_fault, housebots_for
from games.kits import zipped
from jobs.selectors.languages import languages_all
from ladder.files.bundles import bundle_check
from ladder.models import Bot, BotVersion
from ladder.services.bots import bot_create, bots_lock
from ladder.services.examining import bundle_store
from ladder.services.uploads import version_create, version_retry

log = structlog.get_logger(__name__)

OWNER = "house"
DEFAULT_LANGUAGE = "python"
"""The language of every arena; its house bots are loaded before the first worker announces its languages."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """A house bot that takes part in a contest."""

    contest: Contest
    housebot: HouseBot

    @property
    def rating(self) -> float | None:
        """The declared rating in the contest; None if there is none."""
        contest = self.contest
        ruleset = contest_ruleset(contest=contest)
        return self.housebot.description.rating(ruleset, tables_of(contest=contest), contest.options)


def housebots_load(*, rejected_too: bool = False, contests: Iterable[Contest] | None = None) -> list[BotVersion]:
    """Bring the house bots of this arena's contests up to date with the source tree; it may be repeated.

    In a contest play those that can play its ruleset, options and table sizes. It skips bots in languages that no
    worker has announced (``housebots_complete`` loads them later), contests that take no bots, and bots that an upload
    check refuses or that cannot be read, which it logs. Files that the store has lost are stored again.

    Args:
        rejected_too: whether unchanged bots whose last version was rejected are built again.
        contests: None: all contests that have house bots, the open contests first.

    Returns:
        The versions whose builds are queued: of new bots, of changed bots, and those that the platform failed to build.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer.
    """
    with transaction.atomic():
        owner = _owner()
        bots_lock(pks=owner.bots.values("pk"))  # in the order of keys; the loop below goes by the source tree
        languages = {DEFAULT_LANGUAGE, *(language.name for language in languages_all())}
        readable = [game for game in settings.GAMES if _is_readable(game)]
        chosen = _contests() if contests is None else contests
        taking = [contest for contest in chosen if contest.game in readable and takes_bots(contest=contest)]
        entries = [_entries(contest, languages) for contest in taking]
        loaded = [_load_unless_refused(owner, entry, rejected_too) for entry in _in_order(entries)]
        return [version for version in loaded if version is not None]


def housebots_load_new() -> list[BotVersion]:
    """Load house bots into running contests that are to have some and have none yet (1 query without such a contest).

    Returns and raises as ``housebots_load``.
    """
    owned = Bot.objects.filter(contest=OuterRef("pk"), is_house=True)
    waiting = _contests_with_housebots().exclude(slug=F("game")).filter(~Exists(owned), state=Contest.State.OPEN)
    found = list(waiting)
    return housebots_load(contests=found) if found else []


def _contests() -> list[Contest]:
    """Return the contests that have house bots, the open contests first, in the order of the games (1 query)."""
    order = {game: place for place, game in enumerate(settings.GAMES)}
    return sorted(_contests_with_housebots(), key=lambda contest: (not contest.is_open_contest, order[contest.game]))


def _contests_with_housebots() -> QuerySet[Contest]:
    return Contest.objects.filter(has_house_bots=True, game__in=settings.GAMES).order_by("slug")


def _is_readable(game: str) -> bool:
    """Return whether the house bots of a game can be read; log why not."""
    if fault := housebots_fault(game):
        log.error("housebots_left_out", game=game, reason=fault)
        return False
    return True


def _entries(contest: Contest, languages: Collection[str]) -> list[_Entry]:
    """Return the house bots in some languages that can play in a contest."""
    ruleset = contest_ruleset(contest=contest)
    bots = housebots_for(contest.game, ruleset=ruleset, sizes=tables_of(contest=contest), options=contest.options)
    return [_Entry(contest, each) for each in bots if each.description.language in languages]


def _in_order(contests: list[list[_Entry]]) -> list[_Entry]:
    """Return the entries, given by contest, in the order of their builds, so that each contest has its match soon.

    As many bots of each contest as a match has seats come first, then the others. Both parts take one bot of each
    contest in turn, the weakest first, since its check match is the shortest.
    """
    tables, others = [], []
    for entries in filter(None, contests):
        entries.sort(key=lambda entry: (entry.rating is None, entry.rating))
        seats = max(tables_of(contest=entries[0].contest))
        tables.append(entries[:seats])
        others.append(entries[seats:])
    rounds = [*zip_longest(*tables), *zip_longest(*others)]
    return [entry for entries in rounds for entry in entries if entry]


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


def _load_unless_refused(owner: User, entry: _Entry, rejected_too: bool) -> BotVersion | None:
    """Load a house bot and return the version whose build is queued; None if nothing is new, or a check refused it.

    A refusal is logged.

    A user's bot may already have its name, if a worker or a release brought the house bot only later. That must not
    stop the other house bots from loading, nor the arena from starting.
    """
    try:
        with transaction.atomic():
            return _load(owner, entry, rejected_too)
    except InputError as refusal:
        name, contest = entry.housebot.description.name, entry.contest
        log.error("housebot_left_out", game=contest.game, contest=contest.slug, bot=name, reason=str(refusal))
        return None


def _load(owner: User, entry: _Entry, rejected_too: bool) -> BotVersion | None:
    bot = _bot(owner, entry)
    name, data = f"{bot.name}.zip", zipped(entry.housebot.files)
    latest, bundle = bot.versions.order_by("-number").first(), bundle_check(name=name, data=data)
    is_tried_again = rejected_too and latest is not None and latest.state == BotVersion.State.REJECTED
    if latest is None or latest.bundle_digest != bundle.digest or is_tried_again:
        return version_create(owner=owner, contest=bot.contest_id, name=bot.name, upload=ContentFile(data, name=name))
    bundle_store(bundle=bundle)
    return version_retry(version=latest) if latest.state == BotVersion.State.FAILED else None


def _bot(owner: User, entry: _Entry) -> Bot:
    """Return the bot of a house bot in a contest with its declared rating updated, created if missing."""
    name, contest, rating = entry.housebot.description.name, entry.contest, entry.rating
    bot = owner.bots.filter(contest=contest, name=name).first()
    if bot is None:
        return bot_create(owner=owner, contest=contest.slug, name=name, is_house=True, declared_rating=rating)
    bot.declared_rating = rating
    bot.save(update_fields=["declared_rating"])
    return bot
