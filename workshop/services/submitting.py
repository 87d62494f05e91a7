"""Submits files of the workshop as a version of a bot."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from django.core.files.base import ContentFile

from accounts.models import User
from contests.models import Contest
from ladder.models import BotVersion
from ladder.services.uploads import upload_receive
from workshop.services.drafts import files_packed, language_check


def files_submit(
    *, owner: User, contest: Contest, language: str, files: Mapping[str, str], name: str, received_at: datetime
) -> BotVersion:
    """Make files a version of a bot, as an upload does (``upload_receive``).

    Args:
        owner: who submits.
        contest: a contest that the user sees.
        language: name of the language.
        files: texts by path.
        name: name of the bot; a new one creates a bot.
        received_at: when the request reached the site (``common.arrivals``).

    Raises:
        InputError: an upload of these files would be refused, or the contest does not take the language.
    """
    language_check(contest=contest, language=language)
    packed, data = files_packed(files=files)
    upload = ContentFile(data, name=packed)
    return upload_receive(
        owner=owner, contest=contest.slug, name=name, upload=upload, language=language, received_at=received_at
    )
