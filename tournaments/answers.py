"""Answers with results of tournaments, for the site and the API."""

from __future__ import annotations

from django.http import HttpResponse

from formats.trf import trf_write
from tournaments.selectors.loading import Told


def trf_response(*, told: Told, number: int, group: str, name: str) -> HttpResponse:
    """Return the TRF file of a stage, numbered from 0; of one of its groups, if it has some.

    ``name`` is what the file is called.

    Raises:
        ValueError: it is no Swiss or round robin at tables of two.
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
