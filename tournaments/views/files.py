"""Results of tournaments as files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.table_files import CONTENT_TYPES, etag_of, file_response, table_file
from tournaments.selectors.loading import Told
from tournaments.views.pages import kept_from_proxies, told_or_404

COLUMNS = (
    "stage",
    "round",
    "table",
    "group",
    "outcome",
    "seed",
    "bot",
    "name",
    "participant",
    "version",
    "points",
    "match_points",
    "goes_on",
)


@require_safe
def results(request: HttpRequest, place: str, tournament: str, kind: str) -> HttpResponse:
    """Serve the results that the reader may know as CSV or JSON: a row for each entrant of each decided table."""
    _contest, told = told_or_404(request, place, tournament)
    if kind not in CONTENT_TYPES:
        raise Http404(_("Results are a file of the kind csv or json."))
    content = table_file(kind=kind, names=COLUMNS, rows=list(_rows(told)))
    name = f"{told.tournament.contest_id}-{told.tournament.slug}"
    response = file_response(request, name=name, kind=kind, etag=etag_of(content), content=lambda: content)
    return kept_from_proxies(response, told)


def _rows(told: Told) -> Iterator[Sequence[Any]]:
    for decided in told.decided:
        table = decided.table
        games = decided.games or (None,) * len(table.entrants)
        for number, points, of_matches in zip(table.entrants, decided.points, games, strict=True):
            row = told.rows[number]
            yield (
                *(table.stage + 1, table.round, table.number, table.group, str(decided.outcome)),
                *(number, row.bot_id, row.bot.name, row.bot.participant, row.version.number),
                *(round(points, 3), of_matches, number == decided.winner),
            )
