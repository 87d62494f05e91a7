"""Results of tournaments as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.sheets import CONTENT_TYPES, etag_of, file_response, sheet_file
from tournaments.answers import trf_response
from tournaments.selectors.loading import Told
from tournaments.selectors.standings import trf_groups
from tournaments.views.pages import kept_from_proxies, told_or_404

COLUMNS = (
    *("stage", "round", "table", "group", "outcome"),
    *("seed", "bot", "name", "participant", "version"),
    *("points", "match_points", "goes_on"),
)


@require_safe
def results(request: HttpRequest, place: str, tournament: str, kind: str) -> HttpResponse:
    """Serve the results that the reader may know as CSV or JSON: a row for each entrant of each decided table."""
    _contest, told = told_or_404(request, place, tournament)
    if kind not in CONTENT_TYPES:
        raise Http404(_("Results are a file of the kind csv or json."))
    content = sheet_file(kind=kind, names=COLUMNS, rows=list(_rows(told)))
    name = f"{told.tournament.contest_id}-{told.tournament.slug}"
    response = file_response(request, name=name, kind=kind, etag=etag_of(content), content=lambda: content)
    return kept_from_proxies(response, told)


@require_safe
def trf(request: HttpRequest, place: str, tournament: str, stage: int) -> HttpResponse:
    """Serve a Swiss or round robin stage as a TRF file, as far as the reader may know it; ``?group=`` chooses a group.

    Only rounds whose tables are all decided are in it, since a pairing engine that reads it pairs the next round.
    """
    _contest, told = told_or_404(request, place, tournament)
    group = request.GET.get("group", "")
    if group not in trf_groups(told=told, number=stage - 1):
        raise Http404(_("There is no TRF file of this stage: it is for drawn Swiss and round robin stages of pairs."))
    name = f"{told.tournament.contest_id}-{told.tournament.slug}-{stage}{group}.trf"
    response = trf_response(told=told, number=stage - 1, group=group, name=name)
    response["Cache-Control"] = "public, no-cache"
    return kept_from_proxies(response, told)


def _rows(told: Told) -> Iterator[Sequence[Any]]:
    for decided in told.decided:
        table = decided.pairing
        games = decided.games or (None,) * len(table.entrants)
        for number, points, of_matches in zip(table.entrants, decided.points, games, strict=True):
            row = told.rows[number]
            yield (
                *(table.stage + 1, table.round, table.number, table.group, str(decided.outcome)),
                *(number, row.bot_id, row.bot.name, row.bot.participant, row.version.number),
                *(round(points, 3), of_matches, number == decided.winner),
            )
