"""What owners have uploaded."""

from __future__ import annotations

import structlog
from django.utils.translation import gettext as _

from ladder.errors import InputError, StoreAway
from ladder.files.storage import ARTIFACTS, Damaged, file_read
from ladder.files.unbundling import bundle_zip
from ladder.models import BotVersion

log = structlog.get_logger(__name__)


def upload_zip(*, version: BotVersion) -> bytes:
    """Return what was uploaded as a version, as a zip that can be uploaded again.

    Raises:
        InputError: the store has lost it.
        StoreAway: nothing can be read just now.
    """
    try:
        return bundle_zip(file_read(store=ARTIFACTS, digest=version.bundle_digest))
    except (FileNotFoundError, Damaged) as error:
        raise InputError(upload_gone()) from error
    except OSError as error:
        log.exception("store_failed", store=ARTIFACTS)
        raise StoreAway(store_away()) from error


def upload_gone() -> str:
    """Return the sentence for an upload that the store has lost."""
    return _("What you uploaded as this version is not stored here any more. Please upload your own copy of it.")


def store_away() -> str:
    """Return the sentence for a store of bots that does not answer."""
    return _("Bots cannot be stored or read just now. Please try again in a few minutes.")
