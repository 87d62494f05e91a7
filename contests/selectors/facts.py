"""What is special about a contest, for its page, its guide and the README of its kits: rules, limits and languages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import get_language, gettext_lazy, override
from django.utils.translation import gettext as _

from contests.models import Contest
from contests.selectors.contests import LIMIT_NAMES, bot_limits, contest_ruleset, limits_installed, tables_of
from games.registry import game_named, game_names
from games.words import ENGLISH, option_title, ruleset_title
from jobs.selectors.languages import languages_shown

LIMIT_TITLES: dict[str, Promise] = {
    "memory_mib": gettext_lazy("Memory (MiB)"),
    "pids_max": gettext_lazy("Processes and threads"),
    "open_files_max": gettext_lazy("Open files"),
    "file_mib": gettext_lazy("Largest file (MiB)"),
    "tmp_mib": gettext_lazy("Temporary files (MiB)"),
    "start_cpu_ms": gettext_lazy("CPU time of the start (ms)"),
    "time_percent": gettext_lazy("Time of each answer (percent of the game's)"),
}
"""The titles of the limits of bots for people, by the field names of ``wire.jobs.BotLimits``."""


def contest_facts(contest: Contest) -> list[tuple[str, str]]:
    """Return titles and values of what a contest has chosen, in the reader's language (cached: seldom a query).

    What is as in every open contest is left out, so the list is empty for most open contests.
    """
    if contest.game not in game_names():
        return []
    facts, language = [], get_language() or ENGLISH
    rules = game_named(contest.game)
    if len(rules.rulesets) > 1 and not contest.is_open_contest:
        facts.append((_("Ruleset"), ruleset_title(contest.game, contest_ruleset(contest=contest), language)))
    for name, value in contest.options.items():
        said = (_("yes") if value else _("no")) if isinstance(value, bool) else str(value)[:40]
        facts.append((option_title(contest.game, name, language), said))
    if len(rules.players) > 1 and not contest.is_open_contest:
        facts.append((_("Bots at a table (share of matches)"), _tables_text(contest)))
    return facts + _limits_facts(contest)


def _limits_facts(contest: Contest) -> list[tuple[str, str]]:
    facts = []
    limits, installed = bot_limits(contest=contest), limits_installed(game=contest.game)
    for name in LIMIT_NAMES:
        if (value := getattr(limits, name)) != getattr(installed, name):
            if name == "time_percent":
                facts.append((_("Time of each answer"), _("%(share)d %% of the game's") % {"share": value}))
            else:
                facts.append((str(LIMIT_TITLES[name]), str(value)))
    if contest.languages:
        titles = {known.name: known.title for known in languages_shown()}
        facts.append((_("Languages"), ", ".join(titles.get(name, name) for name in contest.languages)))
    for title, most in (
        (_("Bots a participant"), contest.bots_max),
        (_("Open tables a participant"), contest.tables_each),
    ):
        if most is not None:
            facts.append((title, str(most)))
    return facts


def contest_about(contest: Contest) -> str:
    """Return the facts of a contest as lines of a README in English."""
    with override(ENGLISH):
        return "".join(f"- {title}: {value}\n" for title, value in contest_facts(contest))


def _tables_text(contest: Contest) -> str:
    shares = tables_of(contest=contest)
    if len(shares) == 1:
        return str(*shares)
    return ", ".join(f"{size} ({round(100 * share)} %)" for size, share in shares.items())
