"""Takes uploads as new versions within each user's quotas, and lets failed or older versions be built again."""

from __future__ import annotations

from datetime import datetime

import structlog
from django.conf import settings
from django.core.files import File
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from common.errors import InputError, StoreAway
from common.queries.sql import content_lock
from contests.models import Team
from contests.selectors.contests import contest_named, contest_unknown, upload_problem
from contests.selectors.people import team_of
from contests.selectors.visibility import contest_key_is_seen
from contests.services.contests import contest_hold
from contests.services.people import contest_join
from core.text import printable
from jobs.files.storage import ARTIFACTS
from jobs.selectors.languages import languages_all
from ladder.files.bundles import Bundle, bundle_check
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, bots_own
from ladder.selectors.programs import bot_with_program
from ladder.selectors.quotas import bots_live_count, contest_bots_max, quota_of
from ladder.selectors.uploads import stopped_problem, store_away, upload_gone
from ladder.selectors.versions import play_again_problem, version_disqualified
from ladder.services.bots import bot_for_upload, bots_lock
from ladder.services.builds import build_enqueue
from ladder.services.versions import version_transition

State = BotVersion.State
log = structlog.get_logger(__name__)


def version_create(*, owner: User, contest: str, name: str, upload: File[bytes], language: str = "") -> BotVersion:
    """Check and store an upload as a new version, and put its build into the queue.

    A new name creates a bot; the name of an own bot adds the next version to it.

    Args:
        owner: the user who uploads.
        contest: key of the contest.
        name: name of the bot.
        upload: a zip or tar file, or one source file.
        language: name of the language that the owner chose; empty to let the builder decide by the file names.

    Raises:
        InputError: the archive or the name is invalid, a quota is used up, the contest takes no uploads, or none in
            the language, an administrator has stopped the owner's uploads, or the same program came before or plays as
            another bot of the owner. No row is stored then.
        StoreAway: the disk is full, or the bucket does not answer. No row is stored either.
    """
    if upload.size > settings.UPLOAD_MAX_BYTES:
        raise InputError(upload_too_large())
    upload_name = (upload.name or "").rsplit("/", 1)[-1]
    bundle = bundle_check(name=upload_name, data=upload.read())
    with transaction.atomic():
        owner = _owner_locked(owner.pk)
        _check_is_seen(owner, contest)
        _check_may_upload(owner, contest)
        _participant_locked(owner, contest)
        bot = bot_for_upload(owner=owner, contest=contest, name=name)
        _check_language(bot, language)
        latest = bot.versions.order_by("-number").first()
        version = BotVersion(
            bot=bot,
            number=latest.number + 1 if latest else 1,
            bundle_digest=bundle.digest,
            bundle_bytes=len(bundle.data),
            upload_name=printable(upload_name)[:120],
            language=language,
        )
        _check_quotas(version, owner)
        _check_is_new(latest, bundle)
        _check_plays_once(bot, bundle.digest)
        version.save()
        bundle_store(bundle=bundle)
        build_enqueue(version=version)
    log.info("version_uploaded", version=version.pk, bot=bot.pk, owner=owner.pk, bytes=len(bundle.data))
    return version


def version_play_again(*, version: BotVersion, actor: User | None = None) -> BotVersion:
    """Create the next version of a bot from the upload of an older one, and put its build into the queue.

    Args:
        version: a version that does not play any more; it stays as it is.
        actor: the member of the bot's team who asks for it; None: the owner.

    Returns:
        The new version.

    Raises:
        InputError: the version still plays or never played, an administrator has withdrawn it, the newest version is
            the same program, its upload is gone, or any upload would be refused (``version_create``).
        StoreAway: the bucket does not answer.
    """
    with transaction.atomic():
        bot = version.bot
        owner = _owner_locked(actor.pk if actor else bot.owner_id)
        _check_may_upload(owner, bot.contest_id)
        _team_locked(bot.team_id)
        _check_is_own(bot, owner)
        again = version.successor(bundle_bytes=_upload_bytes(version))
        _check_quotas(again, owner)
        _check_may_play_again(version, bot.versions.latest("number"))
        _check_plays_once(bot, version.bundle_digest)
        again.save()
        build_enqueue(version=again)
    log.info("version_plays_again", version=version.pk, again=again.pk, bot=bot.pk, owner=owner.pk)
    return again


def version_enter(*, version: BotVersion, contest: str, name: str, actor: User) -> BotVersion:
    """Copy an accepted version to another contest of its game, where it plays at once, without a new build.

    It is the first version of a new bot there, or the next version of an own bot with that name.

    Args:
        version: an accepted version of a bot of the actor.
        contest: key of the other contest.
        name: name of the bot there.
        actor: who enters it.

    Returns:
        The version in the other contest.

    Raises:
        InputError: the version was never accepted or was disqualified, the contest is one of another game or does not
            take its language, or any upload there would be refused (``version_create``).
        StoreAway: the bucket does not answer.
    """
    with transaction.atomic():
        owner = _owner_locked(actor.pk)
        _check_is_own(version.bot, owner)
        _check_is_seen(owner, contest)
        _check_may_upload(owner, contest)
        _check_may_enter(version, contest)
        _participant_locked(owner, contest)
        bot = bot_for_upload(owner=owner, contest=contest, name=name)
        latest = bot.versions.order_by("-number").first()
        entered = BotVersion(
            bot=bot,
            number=latest.number + 1 if latest else 1,
            bundle_digest=version.bundle_digest,
            bundle_bytes=_upload_bytes(version),  # so that it counts among the uploads of an hour
            upload_name=version.upload_name,
            language=version.language,
        )
        _check_language(bot, version.language)
        _check_quotas(entered, owner)
        if latest is not None and latest.bundle_digest == version.bundle_digest and latest.state in LIVE_STATES:
            raise InputError(_("Version %(number)d is the same program already.") % {"number": latest.number})
        _check_plays_once(bot, version.bundle_digest)
        _artifact_hold(version)
        entered.save()
        entered = version_transition(
            version=entered, to=State.ACTIVE, artifact_digest=version.artifact_digest, entry=version.entry
        )
    log.info("version_entered", version=version.pk, entered=entered.pk, bot=bot.pk, owner=owner.pk, contest=contest)
    return entered


def bundle_store(*, bundle: Bundle) -> None:
    """Store a bundle unless it is stored already.

    A shared lock keeps ``bot_delete`` from deleting it before the transaction ends and its version is visible.

    Raises:
        StoreAway: the disk is full, or the bucket does not answer.
    """
    content_lock(digest=bundle.digest, shared=True)
    try:
        storages[ARTIFACTS].save(bundle.digest, ContentFile(bundle.data))
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        raise StoreAway(store_away()) from error


def version_retry(*, version: BotVersion, actor: User | None = None) -> BotVersion:
    """Put a version into the queue again whose build failed three times by the platform's fault.

    Args:
        version: the version.
        actor: the member of the bot's team who asks for it; None: the owner.

    Raises:
        InputError: the version is not in the state FAILED, its contest takes no uploads, its owner's uploads are
            stopped, the quota of bots is used up, or another bot of the owner plays with the same program.
    """
    with transaction.atomic():
        owner = _owner_locked(actor.pk if actor else version.bot.owner_id)
        _check_may_upload(owner, version.bot.contest_id, _uploaded_at(version))
        _team_locked(version.bot.team_id)
        _check_is_own(version.bot, owner)
        _check_bot_quota(version.bot, owner)
        _check_plays_once(version.bot, version.bundle_digest)
        bots_lock(pks=[version.bot_id])  # no other transaction changes its state meanwhile
        # The attack: requests for a build that is already under way, again and again, would keep all builders busy.
        if not BotVersion.objects.filter(pk=version.pk, state=State.FAILED).exists():
            raise InputError(_("Only a version that we failed to build can be built again."))
        current = version_transition(version=version, to=State.UPLOADED, step="", verdict="", reason={}, log="")
        current.attempt = 0
        current.save(update_fields=["attempt"])
        build_enqueue(version=current)
    return current


def upload_too_large() -> str:
    """Return the sentence for an upload over the limit of size."""
    return _("The file is larger than %(max)d MiB. Please leave out what your bot does not need.") % {
        "max": settings.UPLOAD_MAX_BYTES // 1024**2
    }


def _owner_locked(pk: int) -> User:
    """Lock and return the user who uploads, so that two uploads at once cannot both be the last of a quota.

    The lock leaves the key free (FOR NO KEY UPDATE): a transaction that holds a bot inserts notifications that refer to
    the owner, and would deadlock with an upload that waits for that bot.
    """
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def _participant_locked(owner: User, contest: str) -> None:
    """Make a user who uploads to a contest its participant, if it takes everybody, and lock the user's team in it.

    Two members of a team cannot both upload the last bot that the team may have. A member who is just leaving the team
    holds the lock of his own account, which the upload waits for.

    Raises:
        InputError: the contest takes nobody without an invitation.
    """
    if not owner.bots.filter(is_house=True).exists():
        contest_join(contest=contest, user=owner)
    team = team_of(contest=contest, reader=owner)
    _team_locked(team.pk if team else None)


def _check_is_seen(owner: User, contest: str) -> None:
    """Refuse an upload to a contest that its owner may not see as one to a contest that does not exist.

    The attack: somebody learns from the refusals of uploads which private contests there are, and their deadlines.
    """
    if not contest_key_is_seen(contest, reader=owner) and not owner.bots.filter(is_house=True).exists():
        raise InputError(contest_unknown())


def _check_language(bot: Bot, language: str) -> None:
    """Refuse a language that the contest does not allow; one that is found only by the builder is refused there."""
    allowed = bot.contest.languages
    if language and allowed and language not in allowed and not bot.is_house:
        titles = {known.name: known.title for known in languages_all()}
        named = ", ".join(titles.get(name, name) for name in allowed)
        raise InputError(_("This contest takes bots in: %(languages)s.") % {"languages": named})


def _check_may_enter(version: BotVersion, contest: str) -> None:
    """Refuse a version that never passed a check match, or was disqualified, and a contest of another game."""
    target = contest_named(slug=contest)
    if target is None or target.game != version.bot.game or target.pk == version.bot.contest_id:
        raise InputError(_("A bot can be entered in another contest of the same game only."))
    if version.activated_at is None or not version.artifact_digest:
        raise InputError(_("Only a version that was built and passed its check match can be entered elsewhere."))
    if version_disqualified(version=version):
        raise InputError(_("This program was disqualified, so it cannot be entered elsewhere."))


def _artifact_hold(version: BotVersion) -> None:
    """Keep upload and built program of a version from being deleted until the transaction ends.

    Raises:
        InputError: the store has lost one of them.
        StoreAway: the bucket does not answer.
    """
    for digest in (version.bundle_digest, version.artifact_digest):
        content_lock(digest=digest, shared=True)
        try:
            stored = storages[ARTIFACTS].exists(digest)
        except OSError as error:
            log.exception("store_failed", store=ARTIFACTS)
            raise StoreAway(store_away()) from error
        if not stored:
            raise InputError(upload_gone())


def _team_locked(team: int | None) -> None:
    if team is not None:
        list(Team.objects.select_for_update(no_key=True).filter(pk=team))


def _check_is_own(bot: Bot, owner: User) -> None:
    """Refuse a bot whose owner has changed since the request has read it: a member has left the team meanwhile."""
    if not bots_own(reader=owner).filter(pk=bot.pk).exists():
        raise InputError(_("This bot is not yours any more."))


def _check_may_upload(owner: User, contest: str, uploaded_at: datetime | None = None) -> None:
    if problem := stopped_problem(owner=owner):
        raise InputError(problem)
    contest_hold(contest=contest)  # before the deadline is compared with the time, so that neither changes any more
    if problem := upload_problem(contest=contest, uploaded_at=uploaded_at):
        raise InputError(problem)


def _uploaded_at(version: BotVersion) -> datetime:
    """Return when the upload of a version first came in, also for versions that were rebuilt from it."""
    same = version.bot.versions.filter(bundle_digest=version.bundle_digest)
    return same.earliest("created_at").created_at


def _check_bot_quota(bot: Bot, owner: User) -> None:
    """Refuse a bot without a live version if its participant, or the user, already has as many bots as allowed."""
    if bot.is_house or bot.versions.filter(state__in=LIVE_STATES).exists():
        return
    most = contest_bots_max(contest=bot.contest)
    if bots_live_count(contest=bot.contest_id, owner=owner, team=bot.team_id) >= most:
        sentence = ngettext(
            "A participant of this contest may have %(max)d bot. Please withdraw one first, or upload a version of it.",
            "A participant of this contest may have %(max)d bots. Please withdraw one of them first.",
            most,
        )
        if bot.contest.bots_max is not None or bot.team_id:
            raise InputError(sentence % {"max": most})
    quota = quota_of(owner=owner)
    if quota.bots >= quota.bots_max:
        raise InputError(
            _("You have %(count)d active bots, as many as one user may have. Please withdraw one of them first.")
            % {"count": quota.bots}
        )


def _check_quotas(version: BotVersion, owner: User) -> None:
    bot = version.bot
    _check_bot_quota(bot, owner)
    if bot.is_house:
        return
    quota = quota_of(owner=owner)
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
    """Refuse the upload of the latest version again: a double click, a retry after a lost answer, or the wrong file.

    The bundle is stored all the same, since the owner may send it again because the file store has lost it.
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


def _upload_bytes(version: BotVersion) -> int:
    """Return the size of a version's bundle, also for a rebuilt version, whose ``bundle_bytes`` is 0."""
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
    """Refuse a program that already plays as another bot of its owner.

    The attack: one good program under ten names would take ten places at the top of the board.
    """
    if other := bot_with_program(bot=bot, digest=digest):
        raise InputError(
            _(
                "Your bot %(name)s plays in this contest with the same program already. Please change the program, or"
                " withdraw %(name)s first."
            )
            % {"name": other.name}
        )
