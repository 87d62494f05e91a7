"""The pages of the leaderboards."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.conf import settings
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from ladder.board_files import board_etag, board_file, overall_file
from ladder.forms import BoardFilterForm
from ladder.selectors.boards import board_cursor, board_numbers, board_page
from ladder.selectors.games import games_all
from ladder.selectors.overall import OverallRow, overall_board
from ladder.serving.page_cache import page_for_strangers
from ladder.shortcuts import game_or_404
from ladder.table_files import etag_of, file_response

OVERALL_PAGE_ROWS = 50


@require_safe
@page_for_strangers
def board(request: HttpRequest, game: str) -> HttpResponse:
    """Show a game's leaderboard, or of those without a rank with ``?show=provisional``."""
    card = game_or_404(game)
    form = BoardFilterForm(request.GET)
    chosen, provisional = form.chosen(), _is_provisional(request)
    board_of: dict[str, Any] = {"game": card.name, "chosen": chosen, "provisional": provisional}
    asked = partial(board_page, **board_of)
    numbered = board_cursor(number=request.GET.get("page"), **board_of)
    page = asked(after=numbered or request.GET.get("after", ""), before=request.GET.get("before", ""))
    if not page.rows and request.GET.keys() & {"after", "before"}:
        page = asked()  # whoever stood there has left the board meanwhile
    pages = board_numbers(page=page, reader=request.user, **board_of)
    context = {
        "pages": pages,
        "game": card,
        "form": form,
        "chosen": chosen,
        "board": page,
        "only_provisional": provisional,
    }
    return render(request, "ladder/board.html", context | {"only_provisional": provisional})


@require_safe
def board_download(request: HttpRequest, game: str, kind: str) -> HttpResponse:
    """Serve a board as CSV or JSON, by what its page is asked by; asked again, only if it has changed."""
    name = game_or_404(game).name
    chosen, provisional = BoardFilterForm(request.GET).chosen(), _is_provisional(request)
    etag = board_etag(game=name, chosen=chosen, provisional=provisional, kind=kind)
    content = partial(board_file, game=name, chosen=chosen, provisional=provisional, kind=kind, etag=etag)
    file_name = f"{name}-provisional" if provisional else name
    return file_response(request, name=file_name, kind=kind, etag=etag, content=content)


def _is_provisional(request: HttpRequest) -> bool:
    return request.GET.get("show") == "provisional"


@require_safe
@page_for_strangers
def overall(request: HttpRequest) -> HttpResponse:
    """Show the board over all games; ``?owner=`` finds somebody."""
    owner = request.GET.get("owner", "").strip()
    page = Paginator(_overall_found(owner), OVERALL_PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "ladder/overall.html", {"games": games_all(), "page": page, "owner": owner})


@require_safe
def overall_download(request: HttpRequest, kind: str) -> HttpResponse:
    """Serve the board over all games as CSV or JSON, by what its page is asked by; asked again, only if it changed."""
    found = _overall_found(request.GET.get("owner", "").strip())
    content = overall_file(rows=found, games=settings.GAMES, kind=kind)
    return file_response(request, name="overall", kind=kind, etag=etag_of(content), content=lambda: content)


def _overall_found(owner: str) -> list[OverallRow]:
    return [row for row in overall_board(games=settings.GAMES) if owner.lower() in row.owner.lower()]
