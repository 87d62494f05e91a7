"""Locks and checks that an upload passes before it is stored: rights, deadlines, quotas, equal programs.

The functions ``check_...`` refuse by raising InputError, whose text says why.
"""

from __future__ import annotations

from datetime import datetime

from django.core.files.storage import storages
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from common.errors import InputError
from contests.models import Team
from contests.selectors.contests import contest_named, entry_check, upload_problem
from contests.selectors.people import team_of
from contests.services.contests import contest_hold
from contests.services.people import contest_join
from jobs.files.storage import ARTIFACTS
from jobs.selectors.languages import languages_all
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import LIVE_STATES, bots_own
from ladder.selectors.programs import bot_with_program
from ladder.selectors.quotas import Quota, bots_live_count, contest_bots_max, quota_of
from ladder.selectors.uploads import stopped_problem, store_asked, upload_gone
from ladder.selectors.versions import play_again_problem, version_disqualified


def owner_locked(pk: int) -> User:
    """Lock and return the user who uploads, so that two uploads at once cannot both be the last of a quota.

    The lock leaves the key free (FOR NO KEY UPDATE): a transaction that holds a bot inserts notifications that refer to
    the owner, and would deadlock with an upload that waits for that bot.
    """
    return User.objects.select_for_update(no_key=True).get(pk=pk)


def participant_locked(owner: User, contest: str, received_at: datetime) -> None:
    """Make a user who uploads to a contest its participant, if it takes everybody, and lock the user's team in it.

    Two members of a team cannot both upload the last bot that the team may have. A member who is just leaving the team
    holds the lock of his own account, which the upload waits for.

    Raises:
        InputError: the contest takes nobody without an invitation.
    """
    if not owner.bots.filter(is_house=True).exists():
        contest_join(contest=contest, user=owner, received_at=received_at)
    team = team_of(contest=contest, reader=owner)
    team_locked(team.pk if team else None)


def check_language(bot: Bot, language: str) -> None:
    """Refuse a language that the contest does not allow; one that is found only by the builder is refused there."""
    allowed = bot.contest.languages
    if language and allowed and language not in allowed and not bot.is_house:
        titles = {known.name: known.title for known in languages_all()}
        named = ", ".join(titles.get(name, name) for name in allowed)
        raise InputError(_("This contest takes bots in: %(languages)s.") % {"languages": named})


def check_may_enter(version: BotVersion, contest: str) -> None:
    """Refuse a version that was never accepted or was disqualified, and a contest of another game or its own."""
    target = contest_named(slug=contest)
    if target is None or target.game != version.bot.game or target.pk == version.bot.contest_id:
        raise InputError(_("A bot can be entered in another contest of the same game only."))
    if version.activated_at is None or not version.artifact_digest:
        raise InputError(_("Only a version that was built and passed its check match can be entered elsewhere."))
    if version_disqualified(version=version):
        raise InputError(_("This program was disqualified, so it cannot be entered elsewhere."))


def team_locked(team: int | None) -> None:
    """Lock a team, if there is one, so that two of its members cannot both be the last of a quota."""
    if team is not None:
        list(Team.objects.select_for_update(no_key=True).filter(pk=team))


def check_is_own(bot: Bot, owner: User) -> None:
    """Refuse a bot whose owner has changed since the request has read it: a member has left the team meanwhile."""
    if not bots_own(reader=owner).filter(pk=bot.pk).exists():
        raise InputError(_("This bot is not yours any more."))


def check_may_upload(owner: User, contest: str, received_at: datetime | None) -> None:
    """Refuse an upload that came too late, by a user who is stopped or may not see the contest, or if it takes none.

    The attack: somebody learns from the refusals of uploads which private contests there are, and their deadlines.
    """
    if not owner.bots.filter(is_house=True).exists():
        entry_check(contest=contest, reader=owner)
    if problem := stopped_problem(owner=owner):
        raise InputError(problem)
    contest_hold(contest=contest)  # before the deadline is compared with the time, so that neither changes any more
    if problem := upload_problem(contest=contest, received_at=received_at):
        raise InputError(problem)


def check_bot_quota(bot: Bot, owner: User) -> None:
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
        sentence = _("You have %(count)d active bots, as many as one user may have. Please withdraw one of them first.")
        raise InputError(sentence % {"count": quota.bots})


def check_quotas(version: BotVersion, owner: User) -> None:
    """Refuse an unsaved version over a quota: of bots, of uploads in an hour, or of bytes."""
    bot = version.bot
    check_bot_quota(bot, owner)
    if bot.is_house:
        return
    quota = quota_of(owner=owner)
    if quota.versions_hour >= quota.versions_hour_max:
        sentence = _("You have uploaded %(count)d versions within an hour. Please wait a while before the next one.")
        raise InputError(sentence % {"count": quota.versions_hour})
    if quota.bytes + version.bundle_bytes > quota.bytes_max:
        raise InputError(bytes_used_up(quota))


def bytes_used_up(quota: Quota) -> str:
    """Return the sentence for an upload over the quota of bytes."""
    return _("Your uploads fill the %(max)d MiB that one user may use. Please ask the administrator for more.") % {
        "max": quota.bytes_max // 1024**2
    }


def check_may_play_again(version: BotVersion, latest: BotVersion, received_at: datetime) -> None:
    """Refuse a version that cannot play again, whose program plays already, or whose upload is lost."""
    if problem := play_again_problem(version=version, received_at=received_at):
        raise InputError(problem)
    check_plays_once(version.bot, latest, version.bundle_digest)
    check_stored(version.bundle_digest)


def check_stored(digest: str) -> None:
    """Refuse to go on with a file that the store has lost.

    Raises:
        InputError: the store does not have it any more.
        StoreAway: the store cannot be asked now.
    """
    with store_asked():
        is_stored = storages[ARTIFACTS].exists(digest)
    if not is_stored:
        raise InputError(upload_gone())


def check_plays_once(bot: Bot, latest: BotVersion | None, digest: str) -> None:
    """Refuse a program that is the bot's latest version, or plays as another bot of its owner (``program_problem``)."""
    if latest is not None and latest.bundle_digest == digest and latest.state in LIVE_STATES:
        raise InputError(_("Version %(number)d is the same program already.") % {"number": latest.number})
    if problem := program_problem(bot, digest):
        raise InputError(problem)


def program_problem(bot: Bot, digest: str) -> str:
    """Return a sentence if a program already plays as another bot of its owner; else empty.

    The attack: one good program under ten names would take ten places at the top of the board.
    """
    other = bot_with_program(bot=bot, digest=digest)
    if other is None:
        return ""
    return _(
        "Your bot %(name)s plays in this contest with the same program already. Please change the program, or"
        " withdraw %(name)s first."
    ) % {"name": other.name}


def sent_already(version: BotVersion) -> str:
    """Return the sentence for a file that is a live version already."""
    return _(
        "This file has arrived as version %(number)d; one click is enough. If you meant another one, please"
        " choose the changed file."
    ) % {"number": version.number}
