"""Uploads as downloads, for those whose they are."""

from __future__ import annotations

from django.http import HttpResponse

from jobs.files.transfers import AS_A_FILE
from ladder.models import BotVersion
from ladder.selectors.uploads import upload_zip


def upload_response(*, version: BotVersion) -> HttpResponse:
    """Answer with what was uploaded as a version, as a zip; an attachment, as all that strangers have written.

    Raises:
        InputError: the store has lost it.
        StoreAway: nothing can be read just now.
    """
    headers = {
        **AS_A_FILE,
        "Content-Disposition": f'attachment; filename="version-{version.pk}.zip"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(upload_zip(version=version), content_type="application/zip", headers=headers)
