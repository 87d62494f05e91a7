"""Keeps drafts, and packs and submits their files."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from datetime import datetime

from django.core.files.base import ContentFile
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.models import User
from common.errors import InputError
from contests.models import Contest
from contests.selectors.contests import entry_check
from ladder.files.bundles import Bundle, bundle_check
from ladder.models import BotVersion
from ladder.services.uploads import upload_receive
from workshop.models import Draft
from workshop.selectors.opened import languages_offered

FILES_MAX = 30
TEXT_BYTES_MAX = 512 << 10
"""Bytes of all files of a draft together."""
PATH_CHARS_MAX = 200
LANGUAGE_CHARS_MAX = 20
_PACKED = "workshop.zip"


class NewerDraftError(InputError):
    """A draft was saved by another page than the one that saves it now; nothing is overwritten."""

    def __init__(self, revision: int) -> None:
        super().__init__(
            _("The draft was changed in another tab or browser meanwhile. What you have here is not saved yet.")
        )
        self.revision = revision
        """The draft's revision, with which it may be overwritten."""


@transaction.atomic
def draft_save(
    *, owner: User, contest: Contest, language: str, files: Mapping[str, str], revision: int = 0, page: str = ""
) -> int:
    """Store the files on which a user works, in place of those that were stored for the contest and language.

    ``files`` are texts by path. ``revision`` is that of the draft that the user's page has read; 0: there was none.
    ``page`` is the page's random name, of 36 characters at most, or empty: the page may overwrite what it has saved
    itself, even before it has learned the new revision. Nothing is stored for an account that was closed meanwhile.

    Returns:
        The draft's revision, which has grown if other files than before were stored.

    Raises:
        NewerDraftError: another page has saved other files since this one read them.
        InputError: there are too many files, or they are too large, or the contest does not take the language, or the
            user may not see it.
    """
    entry_check(contest=contest.pk, reader=owner)
    files_check(files=files)
    if not language:
        raise InputError(_("Please choose a language."))
    language_check(contest=contest, language=language)
    # Locked, since two tabs may save at once. An account that was closed meanwhile keeps no draft.
    if not User.objects.select_for_update(no_key=True).get(pk=owner.pk).is_active:
        return revision
    draft = Draft.objects.filter(owner=owner, contest=contest, language=language).first()
    if draft is None:
        draft = Draft(owner=owner, contest=contest, language=language, revision=0)
    elif draft.files == files:
        return draft.revision
    elif draft.revision != revision and not (page and draft.written_by == page):
        raise NewerDraftError(draft.revision)
    draft.files, draft.written_by, draft.revision = dict(files), page, max(draft.revision, revision) + 1
    draft.save()
    return draft.revision


def language_check(*, contest: Contest, language: str) -> None:
    """Refuse a language in which no bot of a contest can be written; an empty one is found out by the file names.

    The attack: a script sends any text as the language, which no column holds and no builder knows.

    Raises:
        InputError: the sentence names the languages that there are.
    """
    offered = {each.name: each.title for each in languages_offered(contest=contest)}
    if language and language not in offered:
        named = ", ".join(offered.values())
        raise InputError(_("This contest takes bots in: %(languages)s.") % {"languages": named})


def files_check(*, files: Mapping[str, str]) -> None:
    """Check that the files of the workshop, texts by path, are no more than an editor can hold.

    There must be 1 to ``FILES_MAX`` files, with paths of at most ``PATH_CHARS_MAX`` characters and texts of at most
    ``TEXT_BYTES_MAX`` bytes together in UTF-8; none may contain NUL.

    Raises:
        InputError: they are not; the sentence says what to change.
    """
    if not files:
        raise InputError(_("There is no file. Please add one, such as main.py."))
    if len(files) > FILES_MAX:
        raise InputError(_("Please keep at most %(max)d files here, or upload an archive.") % {"max": FILES_MAX})
    for path, text in files.items():
        if len(path) > PATH_CHARS_MAX or "\0" in path + text:
            raise InputError(_("A file has a name that is too long, or holds a NUL character. Please mend it."))
    try:
        size = sum(len(text.encode()) for text in files.values())
    except UnicodeEncodeError as error:
        raise InputError(_("A file holds half of a character. Please mend it.")) from error
    if size > TEXT_BYTES_MAX:
        sentence = _("The files are larger than %(max)d KiB together. Please upload an archive instead.")
        raise InputError(sentence % {"max": TEXT_BYTES_MAX >> 10})


def files_packed(*, files: Mapping[str, str]) -> tuple[str, bytes]:
    """Return files as the name and the content of an upload (a zip).

    Raises:
        InputError: as ``files_check``.
    """
    files_check(files=files)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, text in files.items():
            archive.writestr(zipfile.ZipInfo(path), text.encode(), zipfile.ZIP_DEFLATED)
    return _PACKED, buffer.getvalue()


def files_bundle(*, files: Mapping[str, str]) -> Bundle:
    """Return files as the bundle that their upload would make.

    Raises:
        InputError: an upload of these files would be refused.
    """
    name, data = files_packed(files=files)
    return bundle_check(name=name, data=data)


def files_submit(
    *, owner: User, contest: Contest, language: str, files: Mapping[str, str], name: str, received_at: datetime
) -> BotVersion:
    """Make files a version of a bot, as an upload does (``upload_receive``), and return it; a new name creates a bot.

    ``files`` are texts by path; ``received_at`` is as in ``upload_receive``.

    Raises:
        InputError: an upload of these files would be refused, or the contest does not take the language.
    """
    language_check(contest=contest, language=language)
    packed, data = files_packed(files=files)
    upload = ContentFile(data, name=packed)
    return upload_receive(
        owner=owner, contest=contest.slug, name=name, upload=upload, language=language, received_at=received_at
    )
