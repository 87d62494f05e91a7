"""The guides to writing a bot for a game, and the downloads of starter kits."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from contests.selectors.facts import contest_about
from contests.shortcuts import contest_or_404
from games.kits import kit_files, kit_languages, zipped
from ladder.guides.rendering import guide_html
from ladder.page_cache import cached_for_anonymous


@gzip_page
@cached_for_anonymous()
def guide(request: HttpRequest, place: str) -> HttpResponse:
    """Show the guide to a contest's game (its rules, protocol and limits) in the reader's language."""
    contest = contest_or_404(request, place)
    return HttpResponse(guide_html(request=request, contest=contest))


@require_safe
def kit(request: HttpRequest, place: str, language: str) -> HttpResponse:
    """Serve the starter kit of a game in a programming language as a zip."""
    contest = contest_or_404(request, place)
    game, allowed = contest.game, contest.languages
    if language not in kit_languages(game) or (allowed and language not in allowed):
        raise Http404(_("There is no starter kit in this language."))
    name = f"{contest.slug}_{language}.zip"
    where = {} if contest.is_open_contest else {"place": contest.place, "about": contest_about(contest)}
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(zipped(kit_files(game, language, **where)), content_type="application/zip", headers=headers)
