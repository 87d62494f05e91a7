"""Renders the page of a contest's guide."""

from __future__ import annotations

from typing import cast

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.translation import get_language, override

from common.words.messages import game_title
from contests.models import Contest
from contests.selectors.contests import bot_limits
from contests.selectors.facts import contest_facts
from core.referee import ANSWER_CHARS_MAX
from games.kits import kit_languages, kit_rivals
from games.registry import game_named
from jobs.selectors.languages import languages_all
from ladder.guides import guide_bot, guide_conversation, guide_facts, guide_language


def guide_html(*, request: HttpRequest, contest: Contest) -> str:
    """Return the page with rules, protocol and limits of a contest's game, in the reader's language."""
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
    pages = [f"games/{game}/guide/{language}.html", f"ladder/guides/{language}/guide.html"]  # `ladder.guides.pages`
    return render_to_string(pages, context, request)
