"""The pages of the leaderboards."""

from __future__ import annotations

from functools import partial

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from common.table_files import etag_of, file_response
from ladder.board_files import board_etag, board_file, overall_file
from ladder.forms import BoardFilterForm
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import board_cursor, board_head, board_numbers, board_page
from ladder.selectors.games import games_all
from ladder.selectors.overall import OverallRow, overall_board
from ladder.shortcuts import game_or_404

OVERALL_PAGE_ROWS = 50


@require_safe
@cached_for_anonymous()
def games(request: HttpRequest) -> HttpResponse:
    """List the games, each with the first rows of its board."""
    return render(request, "ladder/games.html", {"heads": [board_head(game=card, limit=3) for card in games_all()]})


@require_safe
@cached_for_anonymous("after", "before", "page", *BoardFilterForm.base_fields)
def board(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's leaderboard."""
    card = game_or_404(game)
    form = BoardFilterForm(request.GET)
    chosen = form.chosen()
    asked = partial(board_page, game=card.name, chosen=chosen)
    numbered = board_cursor(game=card.name, chosen=chosen, number=request.GET.get("page"))
    page = asked(after=numbered or request.GET.get("after", ""), before=request.GET.get("before", ""))
    if not page.rows and request.GET.keys() & {"after", "before"}:
        page = asked()  # all bots beyond the cursor have left the board
    pages = board_numbers(game=card.name, chosen=chosen, page=page, reader=request.user)
    context = {"game": card, "form": form, "chosen": chosen, "board": page, "pages": pages}
    return render(request, "ladder/board.html", context)


@require_safe
def board_download(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """Serve a board as CSV or JSON, with the filters of its page; answer 304 if the file has not changed."""
    name = game_or_404(game).name
    chosen = BoardFilterForm(request.GET).chosen()
    etag = board_etag(game=name, chosen=chosen, kind=kind)
    content = partial(board_file, game=name, chosen=chosen, kind=kind, etag=etag)
    return file_response(request, name=name, kind=kind, etag=etag, content=content)


@require_safe
@cached_for_anonymous("owner", "page")
def overall(request: HttpRequest) -> HttpResponse:
    """Show the board over all games; ``?owner=`` filters by a part of the owner's name."""
    owner = request.GET.get("owner", "").strip()
    page = Paginator(_overall_found(owner), OVERALL_PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "ladder/overall.html", {"games": games_all(), "page": page, "owner": owner})


@require_safe
def overall_download(request: HttpRequest, kind: str) -> HttpResponse:
    """Serve the board over all games as CSV or JSON, with the filter of its page; answer 304 if it has not changed."""
    found = _overall_found(request.GET.get("owner", "").strip())
    content = overall_file(rows=found, games=settings.GAMES, kind=kind)
    return file_response(request, name="overall", kind=kind, etag=etag_of(content), content=lambda: content)


def _overall_found(owner: str) -> list[OverallRow]:
    return [row for row in overall_board(games=settings.GAMES) if owner.lower() in row.owner.lower()]
