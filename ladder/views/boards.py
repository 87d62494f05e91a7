"""The pages of the leaderboards."""

from __future__ import annotations

from functools import partial
from urllib.parse import urlsplit

from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts.access import administrates
from common.calendars import CONTENT_TYPE, Occasion, calendar_of
from common.sheets import etag_of, file_response
from contests.dates import contest_dates
from contests.selectors.contests import contests_may_create, contests_open
from contests.selectors.pages import contest_list, contest_people
from contests.shortcuts import contest_or_404
from ladder.board_files import board_etag, board_file, overall_file
from ladder.forms import BoardFilterForm
from ladder.page_cache import cached_for_anonymous
from ladder.selectors.boards import board_head, board_numbers, board_own, board_page, board_start
from ladder.selectors.overall import OverallRow, overall_board
from ladder.selectors.profiles import bots_in_contest

OVERALL_PAGE_ROWS = 50


@cached_for_anonymous()
def games(request: HttpRequest) -> HttpResponse:
    """List the games, each with the first rows of the board of its open contest."""
    heads = [board_head(contest=contest, limit=3) for contest in contests_open()]
    return render(request, "ladder/games.html", {"heads": heads})


@cached_for_anonymous("after", "before", "bot", "page", *BoardFilterForm.base_fields)
def board(request: HttpRequest, place: str) -> HttpResponse:
    """Show a contest's leaderboard."""
    contest = contest_or_404(request, place)
    form = BoardFilterForm(request.GET, has_leagues=contest.has_leagues)
    chosen = form.chosen()
    asked = partial(board_page, contest=contest.slug, chosen=chosen)
    given = request.GET
    start = board_start(contest=contest.slug, chosen=chosen, number=given.get("page", ""), bot=given.get("bot", ""))
    page = asked(after=start.after) if start else asked(after=given.get("after", ""), before=given.get("before", ""))
    if not page.rows and given.keys() & {"after", "before", "page"}:
        page = asked()  # all bots beyond the cursor have left the board
    pages = board_numbers(contest=contest.slug, chosen=chosen, page=page, start=start)
    context = {"contest": contest, "form": form, "chosen": chosen, "board": page, "pages": pages}
    if contest.is_open_contest:
        context["own"] = board_own(contest=contest.slug, reader=request.user)
    else:
        people = contest_people(contest=contest, reader=request.user)
        context |= {
            "people": people,
            "has_desk": people.is_organiser or administrates(request.user),
            "mine": bots_in_contest(contest=contest.slug, reader=request.user),
        }
    return render(request, "ladder/board.html", context)


@require_safe
def calendar(request: HttpRequest, place: str) -> HttpResponse:
    """Serve the dates of a contest as a calendar that programs may subscribe to."""
    contest = contest_or_404(request, place)
    site = urlsplit(settings.BANZUKE_URL)
    occasions = [Occasion(date.key, date.title, date.at) for date in contest_dates(contest=contest) if date.at]
    file = calendar_of(
        uid=f"{contest.slug}.contests.{site.hostname}",
        title=str(contest),
        url=f"{settings.BANZUKE_URL}{reverse('ladder:board', args=[contest])}",
        occasions=occasions,
    )
    return HttpResponse(file, content_type=CONTENT_TYPE)


@cached_for_anonymous()
def contests(request: HttpRequest) -> HttpResponse:
    """List the contests that everybody may see, and those of the reader."""
    found, may_create = contest_list(reader=request.user), contests_may_create(reader=request.user)
    return render(request, "ladder/contests.html", {"contests": found, "may_create": may_create})


@require_safe
def board_download(request: HttpRequest, place: str, kind: str) -> HttpResponse:
    """Serve a board as CSV or JSON, with the filters of its page; answer 304 if the file has not changed."""
    if kind not in ("csv", "json"):
        raise Http404(_("A board is a file of the kind csv or json."))
    name = contest_or_404(request, place).slug
    chosen = BoardFilterForm(request.GET).chosen()
    etag = board_etag(contest=name, chosen=chosen, kind=kind)
    content = partial(board_file, contest=name, chosen=chosen, kind=kind, etag=etag)
    return file_response(request, name=name, kind=kind, etag=etag, content=content)


@cached_for_anonymous("owner", "page")
def overall(request: HttpRequest) -> HttpResponse:
    """Show the board over all games; ``?owner=`` filters by a part of the owner's name."""
    owner = request.GET.get("owner", "").strip()
    page = Paginator(_overall_found(owner), OVERALL_PAGE_ROWS).get_page(request.GET.get("page"))
    return render(request, "ladder/overall.html", {"contests": contests_open(), "page": page, "owner": owner})


@require_safe
def overall_download(request: HttpRequest, kind: str) -> HttpResponse:
    """Serve the board over all games as CSV or JSON, with the filter of its page; answer 304 if it has not changed."""
    found = _overall_found(request.GET.get("owner", "").strip())
    content = overall_file(rows=found, games=settings.GAMES, kind=kind)
    return file_response(request, name="overall", kind=kind, etag=etag_of(content), content=lambda: content)


def _overall_found(owner: str) -> list[OverallRow]:
    return [row for row in overall_board(games=settings.GAMES) if owner.lower() in row.owner.lower()]
