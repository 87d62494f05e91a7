"""The pages that tell how to write a bot for a game."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import core
from core.referee import ANSWER_CHARS_MAX
from ladder.guides import MATERIALS, guide_language
from ladder.kits import kit_languages
from ladder.page_cache import page_for_strangers
from ladder.selectors.games import game_card
from ladder.selectors.languages import languages_all


@require_safe
@page_for_strangers
def guide(request: HttpRequest, game: str) -> HttpResponse:
    """Tell a game's rules, protocol and limits, in the reader's language: all that one needs to write a bot."""
    language = guide_language(get_language())
    with override(language):  # the title stands in sentences of the page
        card = game_card(name=game)
    if card is None:
        raise Http404(_("There is no such game."))
    context = {
        "game": card,
        "language": language,
        "facts": MATERIALS[card.name].facts,
        "kits": [each for each in languages_all() if each.name in kit_languages(card.name)],
        "others": range(1, core.game(card.name).players[0]),
        "answer_chars": ANSWER_CHARS_MAX,
        "start_seconds": card.limits.start_cpu_ms // 1_000,
    }
    return render(request, f"ladder/guides/{language}/{card.name}.html", context)
