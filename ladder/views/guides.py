"""The guides to writing a bot for a game, and the downloads of starter kits."""

from __future__ import annotations

from typing import cast

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from common.words.messages import game_title
from contests.selectors.contests import bot_limits
from core.referee import ANSWER_CHARS_MAX
from games.kits import kit_files, kit_languages, kit_rivals, zipped
from games.registry import game_named
from jobs.selectors.languages import languages_all
from ladder.contest_facts import contest_about, contest_facts
from ladder.guides import guide_bot, guide_conversation, guide_facts, guide_language
from ladder.guides.pages import page_name
from ladder.page_cache import cached_for_anonymous
from ladder.shortcuts import contest_or_404


@require_safe
@cached_for_anonymous()
def guide(request: HttpRequest, place: str) -> HttpResponse:
    """Show the guide to a contest's game (its rules, protocol and limits) in the reader's language."""
    contest = contest_or_404(request, place)
    game, limits = contest.game, bot_limits(contest=contest)
    language = guide_language(game, get_language())
    with override(language):  # the guide uses the title within its sentences
        title = game_title(game)
        chosen = contest_facts(contest)
    rules, allowed = game_named(game), contest.languages
    languages = [each for each in languages_all() if not allowed or each.name in allowed]
    facts = dict(guide_facts(game))
    for name in ("first_cpu_ms", "cpu_ms"):
        facts[name] = cast(int, facts[name]) * limits.time_percent // 100
    context = {
        "contest": contest,
        "game": {"name": game, "title": title, "limits": limits},
        "language": language,
        "chosen": chosen,
        "facts": facts,
        "languages": languages,
        "kits": [each for each in languages if each.name in kit_languages(game)],
        "players": rules.players,
        "rulesets": rules.rulesets,
        "faults_rank_last": rules.faults_rank_last,
        "talk": guide_conversation(game),
        "bot": guide_bot(game),
        "rivals": kit_rivals(game),
        "answer_chars": ANSWER_CHARS_MAX,
        "start_seconds": limits.start_cpu_ms // 1_000,
    }
    return render(request, [page_name(game, language), f"ladder/guides/{language}/guide.html"], context)


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
