"""HTTP responses with results of tournaments, for the site and the API."""

from __future__ import annotations

from django.http import HttpResponse

from formats.trf import trf_write
from tournaments.selectors.loading import Told


def trf_response(*, told: Told, number: int, group: str, name: str) -> HttpResponse:
    """Return a response with the TRF file of stage ``number`` (from 0), for download under the file name ``name``.

    ``group`` is the group of the stage that the file is of; empty if it has no groups.

    Raises:
        ValueError: the stage is no Swiss or round robin at tables of two.
    """
    content = trf_write(
        name=str(told.tournament),
        stages=told.stages,
        stage=number,
        entrants=told.entrants,
        decided=told.decided_whole,
        group=group,
    )
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type="text/plain; charset=us-ascii", headers=headers)
