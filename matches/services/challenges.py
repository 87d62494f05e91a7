"""Challenges: an owner lets a bot play against another of his choice at once; public, never rated."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from contests.selectors.contests import duel_problem, entry_check
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bot_active_version, own_among
from matches.encounters import encounter_matches
from matches.models import Match
from matches.selectors.challenges import challenge_under_way
from matches.services.lifecycle import matches_create


@transaction.atomic
def challenge_start(*, owner: User, bot: Bot, opponent: Bot) -> list[Match]:
    """Queue two unrated matches of a bot against another, on one secret seed with the seats swapped.

    Args:
        owner: the user who challenges.
        bot: the challenging bot, which must be the user's own.
        opponent: the bot that is challenged.

    Returns:
        Both new matches, or those of a challenge between the same versions that is already under way.

    Raises:
        InputError: the two cannot meet; the text says why.
    """
    # The lock makes the second of two clicks at once find the challenge of the first.
    User.objects.select_for_update(no_key=True).get(pk=owner.pk)
    entry_check(contest=opponent.contest_id, reader=owner)
    if problem := _pair_problem(owner, bot, opponent) or duel_problem(contest=opponent.contest):
        raise InputError(problem)
    challenger, challenged = _version_playing(bot), _version_playing(opponent)
    if challenger.artifact_digest == challenged.artifact_digest:
        raise InputError(_("Both bots are the same program, so there is nothing to see. Choose another one."))
    table = challenger.pk, challenged.pk
    tables = encounter_matches(opponent.contest, table, kind=Match.Kind.CHALLENGE)
    return challenge_under_way(versions=table) or matches_create(tables=list(tables))


def _pair_problem(owner: User, bot: Bot, opponent: Bot) -> str:
    own = own_among(bots=(bot, opponent), reader=owner)
    if bot.pk not in own:
        return _("Choose one of your own bots to play against it.")
    if bot.pk == opponent.pk:
        return _("A bot cannot challenge itself. To compare two of its versions, begin a private test.")
    if bot.team_id and opponent.pk in own:
        return _("Bots of one team do not meet. Choose a bot of somebody else.")
    if bot.contest_id != opponent.contest_id:
        return _("These two bots are in different contests. Choose a bot of yours that is in the same one.")
    return ""


def _version_playing(bot: Bot) -> BotVersion:
    version = bot_active_version(bot=bot)
    if version is None or version.state != BotVersion.State.ACTIVE:
        raise InputError(
            _("%(name)s does not play just now: it has no active version. Choose another bot.") % {"name": bot.name}
        )
    return version
