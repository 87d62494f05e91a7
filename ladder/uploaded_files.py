"""The HTTP response with which owners download what they have uploaded."""

from __future__ import annotations

from django.http import HttpResponse

from jobs.files.transfers import AS_A_FILE
from ladder.models import BotVersion
from ladder.selectors.uploads import upload_zip


def upload_response(*, version: BotVersion) -> HttpResponse:
    """Return a response with the upload of a version as a zip, sent as an attachment so that no browser renders it.

    Raises:
        InputError: the file store does not have the upload any more, or its examination refuses it.
        StoreAway: the file store cannot be read now.
    """
    headers = {
        **AS_A_FILE,
        "Content-Disposition": f'attachment; filename="version-{version.pk}.zip"',
        "X-Content-Type-Options": "nosniff",
    }
    return HttpResponse(upload_zip(version=version), content_type="application/zip", headers=headers)
