"""Creates, renames, locks and deletes bots."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

import structlog
from django.core.exceptions import ValidationError
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import Notification, User
from common.errors import InputError
from common.names import name_key, name_look
from common.queries.sql import content_lock
from common.signals import replays_released
from contests.models import Contest
from contests.selectors.contests import contest_named, contest_unknown
from contests.selectors.people import team_of
from jobs.files.storage import ARTIFACTS
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, bots_own
from ladder.selectors.uploads import bot_delete_problem

NAME_LENGTH_MAX = 40
"""Characters of a bot's name, at most (``Bot.name``)."""
log = structlog.get_logger(__name__)


def bots_lock(*, pks: Iterable[int] | QuerySet[Any, Any]) -> None:
    """Lock bots until the transaction ends, before a service changes several of them (1 query at most).

    It locks them in the order of their keys, so that two transactions that lock some of the same bots do not deadlock.
    """
    list(Bot.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"))


def bot_create(
    *, owner: User, contest: str, name: str, is_house: bool = False, declared_rating: float | None = None
) -> Bot:
    """Create a bot. A house bot with a declared rating, in Elo points, is an anchor of the rating scale.

    ``contest`` is the key of the bot's contest, in which its name must be unique, even if capitals are ignored and
    letters that look alike count as equal.

    Raises:
        InputError: the contest is unknown, or the name is invalid or taken.
    """
    bot = _bot_unsaved(owner, contest, name)
    bot.is_house, bot.declared_rating = is_house, declared_rating
    return _bot_save(bot)


def _bot_unsaved(owner: User, contest: str, name: str) -> Bot:
    """Return a new unsaved bot with checked fields; they are checked before any query, as PostgreSQL refuses a NUL."""
    found = contest_named(slug=contest)
    if found is None:
        raise InputError(contest_unknown())
    bot = Bot(owner=owner, contest=found, game=found.game, name=name)
    try:
        bot.clean_fields()
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    return bot


def _bot_save(bot: Bot) -> Bot:
    try:
        with transaction.atomic():
            _name_free(bot.contest, bot.name)
            bot.save()
    except IntegrityError as error:
        sentence = _(
            "Another bot of this contest has this name, or one that looks like it. Please choose another name."
        )
        raise InputError(sentence) from error
    return bot


def bot_for_upload(*, owner: User, contest: str, name: str) -> Bot:
    """Return the user's own bot with this name, locked, or create one: of the user's team in the contest, if any.

    Raises:
        InputError: the contest is unknown, or the name is invalid or taken by another user's bot.
    """
    new = _bot_unsaved(owner, contest, name)
    new.team = team_of(contest=contest, reader=owner)
    # Locked, since another upload may free its name (`_name_free`) and cannot see the uncommitted version yet.
    own = bots_own(reader=owner).select_for_update(no_key=True).filter(contest=contest, name_key=name_key(name))
    return own.first() or _bot_save(new)


def _name_free(contest: Contest, name: str) -> None:
    """Free a name: append a number to the names of bots that never played under it and have no live version.

    Their owners keep these bots and their logs. The attack: somebody reserves the names of known bots with uploads of
    one line, which are rejected or withdrawn.
    """
    named = Q(name_key=name_key(name)) | Q(name_look=name_look(name))
    may_play = Q(activated_at__isnull=False) | Q(state__in=(*LIVE_STATES, BotVersion.State.FAILED))
    for bot in Bot.objects.select_for_update(no_key=True).filter(named, contest=contest, is_house=False).order_by("pk"):
        if bot.versions.exists() and not bot.versions.filter(may_play).exists():
            _bot_rename(bot)


def _bot_rename(bot: Bot) -> None:
    """Append its key to a bot's name, or a random number if the name with the key is taken.

    The attack: the owner of bot 57, "Champion", also takes "Champion 57" and the next numbers, so that the rename fails
    and nobody else gets "Champion".
    """
    name, number = bot.name, bot.pk
    while True:
        suffix = f" {number}"
        bot.name = f"{name[: NAME_LENGTH_MAX - len(suffix)].rstrip()}{suffix}"
        try:
            with transaction.atomic():
                bot.save()
        except IntegrityError:
            number = secrets.randbelow(10**9)
        else:
            log.info("bot_renamed", bot=bot.pk, owner=bot.owner_id)
            return


@transaction.atomic
def bot_delete(*, bot: Bot) -> None:
    """Delete a bot without accepted versions, with its versions, uploads, replays, logs and notifications.

    Raises:
        InputError: it is a house bot, or a version was accepted, waits for its build, or came within the last hour.
    """
    User.objects.select_for_update(no_key=True).get(pk=bot.owner_id)  # uploads wait for this lock, too
    bots_lock(pks=[bot.pk])
    if problem := bot_delete_problem(bot=bot):
        raise InputError(problem)
    uploads = _digests(bot, "bundle_digest", "artifact_digest")
    replays = _digests(bot, "check_replay_digest", "check_log_digest")
    readers = Q(reader__team_members__team=bot.team_id) if bot.team_id else Q(reader=bot.owner_id)
    Notification.objects.filter(readers, values__bot=bot.pk).delete()
    bot.versions.all().delete()
    log.info("bot_deleted", bot=bot.pk, owner=bot.owner_id)
    Bot.objects.filter(pk=bot.pk).delete()
    transaction.on_commit(lambda: uploads_delete(digests=uploads), robust=True)
    transaction.on_commit(lambda: _replays_release(replays), robust=True)


def _digests(bot: Bot, *fields: str) -> set[str]:
    rows = bot.versions.values_list(*fields)
    return {digest for row in rows for digest in row if digest}


def uploads_delete(*, digests: set[str]) -> None:
    """Delete stored uploads and programs, by digest, except those that versions have: equal files are stored once."""
    for digest in digests:
        with transaction.atomic():
            content_lock(digest=digest)  # an upload of the same file holds this lock until its version is committed
            if not BotVersion.objects.filter(Q(bundle_digest=digest) | Q(artifact_digest=digest)).exists():
                storages[ARTIFACTS].delete(digest)


def _replays_release(digests: set[str]) -> None:
    """Tell the app of matches to delete replays and logs of check matches, except those that other versions use."""
    for field in ("check_replay_digest", "check_log_digest"):
        shared = BotVersion.objects.filter(**{f"{field}__in": digests})
        digests -= set(shared.values_list(field, flat=True))
    replays_released.send(sender=None, digests=digests)
