"""Uploads: what makes bots and versions, within each user's quotas."""

from __future__ import annotations

import secrets
from datetime import datetime

import structlog
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError, StoreAway
from common.names import name_key, name_look
from common.queries.sql import content_lock
from core.text import printable
from jobs.files.storage import ARTIFACTS
from ladder.files.bundles import Bundle, bundle_check
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, quota_of
from ladder.selectors.games import game_card, upload_problem
from ladder.selectors.programs import bot_with_program
from ladder.selectors.uploads import play_again_problem, store_away, upload_gone
from ladder.services.builds import build_enqueue
from ladder.services.versions import bots_lock, version_transition

State = BotVersion.State
NAME_LENGTH_MAX = 40
"""Of a bot's name (``Bot.name``)."""
log = structlog.get_logger(__name__)


def bot_create(*, owner: User, game: str, name: str, declared_rating: float | None = None) -> Bot:
    """Make a bot. One with a declared rating is a house bot, an anchor of the scale.

    Args:
        owner: who may upload its versions.
        game: name in the core's registry.
        name: unique in the game, whatever the capitals and however alike letters look.
        declared_rating: Elo points, for house bots.

    Raises:
        InputError: unknown game, a name that cannot be taken or is taken.
    """
    return _bot_save(_bot_checked(owner, game, name, declared_rating))


def _bot_checked(owner: User, game: str, name: str, declared_rating: float | None = None) -> Bot:
    """Return a bot that is not saved yet. Nothing unchecked may reach a query: PostgreSQL refuses text with NUL."""
    if game_card(name=game) is None:
        raise InputError(_("There is no such game here. Please choose one of the list."))
    is_house = declared_rating is not None
    bot = Bot(owner=owner, game=game, name=name, is_house=is_house, declared_rating=declared_rating)
    try:
        bot.clean_fields()
    except ValidationError as error:
        raise InputError(" ".join(error.messages)) from error
    return bot


def _bot_save(bot: Bot) -> Bot:
    try:
        with transaction.atomic():
            _name_free(bot.game, bot.name)
            bot.save()
    except IntegrityError as error:
        raise InputError(_name_taken()) from error
    return bot


def version_create(*, owner: User, game: str, name: str, upload: File[bytes], language: str = "") -> BotVersion:
    """Take an upload: check it, store it, and ask for its build. A new name makes a new bot, a known one a version.

    Args:
        owner: who uploads.
        game: name in the core's registry.
        name: of the bot.
        upload: a zip or tar file, or one source file.
        language: its name, if the owner has told; empty: the builder finds out by the file names.

    Raises:
        InputError: the archive, the name, a quota, the state of the game or its deadline, an administrator, or another
            bot of the owner's that plays with the same program stands against it; nothing has been kept then.
        StoreAway: the disk is full, or the bucket away; nothing has been kept either.
    """
    if upload.size > settings.UPLOAD_MAX_BYTES:
        raise InputError(upload_too_large())
    upload_name = (upload.name or "").rsplit("/", 1)[-1]
    bundle = bundle_check(name=upload_name, data=upload.read())
    with transaction.atomic():
        owner = _owner_locked(owner.pk)
        _check_may_upload(owner, game)
        bot = _bot_for_upload(owner, game, name)
        latest = bot.versions.order_by("-number").first()
        version = BotVersion(
            bot=bot,
            number=latest.number + 1 if latest else 1,
            bundle_digest=bundle.digest,
            bundle_bytes=len(bundle.data),
            upload_name=printable(upload_name)[:120],
            language=language,
        )
        _check_quotas(version)
        _check_is_new(latest, bundle)
        _check_plays_once(bot, bundle.digest)
        version.save()
        bundle_store(bundle=bundle)
        build_enqueue(version=version)
    log.info("version_uploaded", version=version.pk, bot=bot.pk, owner=owner.pk, bytes=len(bundle.data))
    return version


def version_play_again(*, version: BotVersion) -> BotVersion:
    """Have an older version's program play again: as the next version of its bot, from the same upload.

    Args:
        version: one that does not play any more; it stays as it is.

    Returns:
        The new version.

    Raises:
        InputError: it still plays or never did, an administrator has withdrawn it, the newest is the same program, its
            upload is gone, or what stands against any upload does against this one.
        StoreAway: the bucket is away.
    """
    with transaction.atomic():
        owner, bot = _owner_locked(version.bot.owner_id), version.bot
        _check_may_upload(owner, bot.game)
        again = version.again(bundle_bytes=_bytes_of(version))
        _check_quotas(again)
        _check_may_play_again(version, bot.versions.latest("number"))
        _check_plays_once(bot, version.bundle_digest)
        again.save()
        build_enqueue(version=again)
    log.info("version_plays_again", version=version.pk, again=again.pk, bot=bot.pk, owner=owner.pk)
    return again


def bundle_store(*, bundle: Bundle) -> None:
    """Store a bundle. One that is stored already stays as it is; one that the store has lost is whole again.

    Nobody deletes it before the end of the transaction, when others see the version that it belongs to.

    Raises:
        StoreAway: the disk is full, or the bucket away.
    """
    content_lock(digest=bundle.digest, shared=True)
    try:
        storages[ARTIFACTS].save(bundle.digest, ContentFile(bundle.data))
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        raise StoreAway(store_away()) from error


def version_retry(*, version: BotVersion) -> BotVersion:
    """Build a version again that three attempts of ours failed to build.

    Raises:
        InputError: it is not in that state, or its game takes no bots, or its owner may upload none or have no more, or
            another bot of theirs plays with the same program.
    """
    with transaction.atomic():
        _check_may_upload(_owner_locked(version.bot.owner_id), version.bot.game, _uploaded_at(version))
        _check_bot_quota(version.bot)
        _check_plays_once(version.bot, version.bundle_digest)
        bots_lock(pks=[version.bot_id])  # so that it stays what it is, unless it is we who change it
        # The attack: a build that is asked for again while it is under way, and again, keeps all builders busy.
        if not BotVersion.objects.filter(pk=version.pk, state=State.FAILED).exists():
            raise InputError(_("Only a version that we failed to build can be built again."))
        current = version_transition(version=version, to=State.UPLOADED, step="", verdict="", sentence="", log="")
        current.attempt = 0
        current.save(update_fields=["attempt"])
        build_enqueue(version=current)
    return current


def upload_too_large() -> str:
    """Return the sentence for an upload over the limit."""
    return _("The file is larger than %(max)d MiB. Please leave out what your bot does not need.") % {
        "max": settings.UPLOAD_MAX_BYTES // 1024**2
    }


def _name_taken() -> str:
    return _("Another bot of this game has this name, or one that looks like it. Please choose another name.")


def _owner_locked(pk: int) -> User:
    """Lock and return a user: of two uploads at once both could be the last that a quota allows.

    Not the key: who notifies the owner while one of the bots is locked needs it, and we shall need that bot.
    """
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def _check_may_upload(owner: User, game: str, uploaded_at: datetime | None = None) -> None:
    if owner.uploads_stopped:
        raise InputError(
            _("The uploads of your account are stopped. Please write to the administrators. Their reason: %(reason)s")
            % {"reason": owner.uploads_stopped}
        )
    if problem := upload_problem(game=game, uploaded_at=uploaded_at):
        raise InputError(problem)


def _uploaded_at(version: BotVersion) -> datetime:
    """Return when it came in: also of a version that we have made anew from an upload."""
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    return same.earliest("created_at").created_at


def _bot_for_upload(owner: User, game: str, name: str) -> Bot:
    new = _bot_checked(owner, game, name)
    # Locked: meanwhile somebody else may free its name, who does not see the version that is coming.
    own = Bot.objects.select_for_update(no_key=True).filter(game=game, name_key=name_key(name), owner=owner)
    return own.first() or _bot_save(new)


def _name_free(game: str, name: str) -> None:
    """Put a number behind the name of a bot that has never played under it, and will not by what was uploaded.

    Its owner keeps the bot and its logs. The attack: somebody takes the names of known bots by files of one line, which
    are rejected or withdrawn.
    """
    named = Q(name_key=name_key(name)) | Q(name_look=name_look(name))
    may_play = Q(activated_at__isnull=False) | Q(state__in=(*LIVE_STATES, State.FAILED))
    for bot in Bot.objects.select_for_update(no_key=True).filter(named, game=game, is_house=False).order_by("pk"):
        if bot.versions.exists() and not bot.versions.filter(may_play).exists():
            _bot_rename(bot)


def _bot_rename(bot: Bot) -> None:
    """Put its key behind a bot's name, or a random number while the name with that one is taken.

    The attack: somebody whose bot 57 is "Champion" takes "Champion 57" too, and the next numbers, so that nobody gets
    "Champion" from him.
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


def _check_bot_quota(bot: Bot) -> None:
    """Refuse one bot more than a user may have: a new one, or one of which nothing plays any more."""
    if bot.is_house or bot.versions.filter(state__in=LIVE_STATES).exists():
        return
    quota = quota_of(owner=bot.owner)
    if quota.bots >= quota.bots_max:
        raise InputError(
            _("You have %(count)d active bots, as many as one user may have. Please withdraw one of them first.")
            % {"count": quota.bots}
        )


def _check_quotas(version: BotVersion) -> None:
    bot = version.bot
    _check_bot_quota(bot)
    if bot.is_house:
        return
    quota = quota_of(owner=bot.owner)
    if quota.versions_hour >= quota.versions_hour_max:
        raise InputError(
            _("You have uploaded %(count)d versions within an hour. Please wait a while before the next one.")
            % {"count": quota.versions_hour}
        )
    if quota.bytes + version.bundle_bytes > quota.bytes_max:
        raise InputError(
            _("Your uploads fill the %(max)d MiB that one user may use. Please ask the administrator for more.")
            % {"max": quota.bytes_max // 1024**2}
        )


def _check_is_new(latest: BotVersion | None, bundle: Bundle) -> None:
    """Refuse what has arrived before: the second click on the button, an answer that was lost, or the wrong file.

    It is stored all the same: the store may have lost the first one, and its owner sends it again for that.
    """
    if latest is None or latest.bundle_digest != bundle.digest or latest.state not in LIVE_STATES:
        return
    bundle_store(bundle=bundle)
    raise InputError(
        _(
            "This file has arrived as version %(number)d; one click is enough. If you meant another one, please"
            " choose the changed file."
        )
        % {"number": latest.number}
    )


def _bytes_of(version: BotVersion) -> int:
    """Return how large a version's upload is: also of one that we have made anew, which counts for nothing."""
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    return int(same.aggregate(bytes=Max("bundle_bytes"))["bytes"])


def _check_may_play_again(version: BotVersion, latest: BotVersion) -> None:
    if problem := play_again_problem(version=version):
        raise InputError(problem)
    if latest.bundle_digest == version.bundle_digest and latest.state in LIVE_STATES:
        raise InputError(_("Version %(number)d is the same program already.") % {"number": latest.number})
    try:
        stored = storages[ARTIFACTS].exists(version.bundle_digest)
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        raise StoreAway(store_away()) from error
    if not stored:
        raise InputError(upload_gone())


def _check_plays_once(bot: Bot, digest: str) -> None:
    """Refuse a program that plays already as another bot of its owner.

    The attack: one good program under ten names takes ten places at the top of the board.
    """
    if other := bot_with_program(bot=bot, digest=digest):
        raise InputError(
            _(
                "Your bot %(name)s plays this game with the same program already. Please change the program, or"
                " withdraw %(name)s first."
            )
            % {"name": other.name}
        )
