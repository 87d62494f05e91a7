"""The guides to writing a bot for a game, and the downloads of starter kits."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from core.referee import ANSWER_CHARS_MAX
from games.kits import kit_files, kit_languages, kit_rivals, zipped
from games.registry import game_named
from jobs.selectors.languages import languages_all
from ladder.guides import guide_bot, guide_conversation, guide_facts, guide_language
from ladder.guides.pages import page_name
from ladder.page_cache import cached_for_anonymous
from ladder.shortcuts import game_or_404


@require_safe
@cached_for_anonymous()
def guide(request: HttpRequest, game: str) -> HttpResponse:
    """Show the guide to a game (its rules, protocol and limits) in the reader's language."""
    language = guide_language(game_or_404(game).name, get_language())
    with override(language):  # the guide uses the title within its sentences
        card = game_or_404(game)
    languages, rules = languages_all(), game_named(card.name)
    context = {
        "game": card,
        "language": language,
        "facts": guide_facts(card.name),
        "languages": languages,
        "kits": [each for each in languages if each.name in kit_languages(card.name)],
        "players": rules.players,
        "rulesets": rules.rulesets,
        "faults_rank_last": rules.faults_rank_last,
        "talk": guide_conversation(card.name),
        "bot": guide_bot(card.name),
        "rivals": kit_rivals(card.name),
        "answer_chars": ANSWER_CHARS_MAX,
        "start_seconds": card.limits.start_cpu_ms // 1_000,
    }
    return render(request, [page_name(card.name, language), f"ladder/guides/{language}/guide.html"], context)


@require_safe
def kit(request: HttpRequest, game: str, language: str) -> HttpResponse:
    """Serve the starter kit of a game in a programming language as a zip."""
    card = game_or_404(game)
    if language not in kit_languages(card.name):
        raise Http404(_("There is no starter kit in this language."))
    name = f"{card.name}_{language}.zip"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(zipped(kit_files(card.name, language)), content_type="application/zip", headers=headers)
