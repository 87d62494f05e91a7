"""Submits files of the workshop as a version of a bot."""

from __future__ import annotations

from collections.abc import Mapping

from django.core.files.base import ContentFile

from accounts.models import User
from contests.models import Contest
from ladder.models import BotVersion
from ladder.services.uploads import version_create
from workshop.services.drafts import files_packed, language_check


def files_submit(*, owner: User, contest: Contest, language: str, files: Mapping[str, str], name: str) -> BotVersion:
    """Make files a version of a bot, as an upload does (``version_create``).

    Args:
        owner: who submits.
        contest: a contest that the user sees.
        language: name of the language.
        files: texts by path.
        name: name of the bot; a new one creates a bot.

    Raises:
        InputError: an upload of these files would be refused, or the contest does not take the language.
        StoreAway: the disk is full, or the bucket does not answer.
    """
    language_check(contest=contest, language=language)
    packed, data = files_packed(files=files)
    upload = ContentFile(data, name=packed)
    return version_create(owner=owner, contest=contest.slug, name=name, upload=upload, language=language)
