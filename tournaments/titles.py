"""Names of stages, rounds and tables in the reader's language, and stages in plain words. No queries."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from formats.model import DUEL, KNOCKOUTS, Format, Stage
from tournaments.words import FORMAT_TITLES

QUARTER_FINALS, SEMI_FINALS = 4, 2
"""How many tables the quarter-finals and the semi-finals have."""


def stage_title(stage: Stage) -> str:
    """Return the name of a stage, such as "Swiss, 7 rounds"."""
    title = str(FORMAT_TITLES[stage.format])
    if stage.format == Format.SWISS:
        return ngettext("%(title)s, %(count)d round", "%(title)s, %(count)d rounds", stage.rounds) % {
            "title": title,
            "count": stage.rounds,
        }
    if stage.groups > 1:
        return _("%(title)s, %(count)d groups") % {"title": title, "count": stage.groups}
    return title


def stage_sentences(stage: Stage) -> list[str]:
    """Return what a stage is, in whole sentences for people who know no formats."""
    sentences = [_format_sentence(stage)]
    if stage.format == Format.ROUND_ROBIN and stage.cycles > 1:
        sentences.append(_("They meet %(count)d times.") % {"count": stage.cycles})
    if stage.third_place:
        sentences.append(_("The losers of the semi-finals play for the third place."))
    if stage.table_size > DUEL:
        sentences.append(_("%(count)d bots play at a table.") % {"count": stage.table_size})
    if stage.best_of > 1 and stage.format in KNOCKOUTS:
        sentences.append(
            _("A table plays the best of %(count)d encounters: matches on one seed, from every seat.")
            % {"count": stage.best_of}
        )
    elif stage.best_of > 1:
        sentences.append(
            _("A table plays %(count)d encounters: matches on one seed, from every seat.") % {"count": stage.best_of}
        )
    else:
        sentences.append(_("A table plays matches on one seed, from every seat."))
    if stage.goes_on:
        sentences.append(
            ngettext(
                "The first %(count)d goes on to the next stage.",
                "The first %(count)d go on to the next stage.",
                stage.goes_on,
            )
            % {"count": stage.goes_on}
        )
    return sentences


def _format_sentence(stage: Stage) -> str:
    if stage.format == Format.ROUND_ROBIN:
        if stage.groups > 1:
            return _("In each of %(count)d groups, every bot meets every other one.") % {"count": stage.groups}
        return _("Every bot meets every other one.")
    if stage.format == Format.SWISS:
        return _("In each of %(count)d rounds, bots with about equal points meet, and no two of them meet twice.") % {
            "count": stage.rounds
        }
    if stage.format == Format.SINGLE_ELIMINATION:
        return _("The winner of a table goes on, the others are out.")
    return _("Who has lost two tables is out.")


def part_title(*, stage: Stage, group: str, number: int, tables: int) -> str:
    """Return the name of the tables of a round that belong together, such as "Semi-finals" or "Losers' round 2".

    Args:
        stage: the stage.
        group: ``formats.model.Pairing.group`` of the tables.
        number: number of the round, from 1.
        tables: how many tables of this group the round has, byes included.
    """
    if stage.format == Format.DOUBLE_ELIMINATION:
        return _double_title(group, number, tables)
    if stage.format == Format.SINGLE_ELIMINATION:
        return _single_title(stage, group, number, tables)
    return group_title(group) if group else round_title(number)


def group_title(name: str) -> str:
    """Return the name of a group of a round robin."""
    return _("Group %(name)s") % {"name": name}


def round_title(number: int) -> str:
    """Return the name of a round of any format."""
    return _("Round %(number)d") % {"number": number}


def table_title(*, stage: Stage, group: str, number: int, tables: int, index: int) -> str:
    """Return the name of a table, such as "Semi-final 1" or "Group A, table 2"; arguments as of ``part_title``.

    ``index`` is the number of the table among those of its group, from 1.
    """
    if stage.format not in KNOCKOUTS:
        table = _("Table %(number)d") % {"number": index}
        return _("Group %(name)s, table %(number)d") % {"name": group, "number": index} if group else table
    if stage.format == Format.SINGLE_ELIMINATION and stage.table_size == DUEL and not group:
        if tables == SEMI_FINALS:
            return _("Semi-final %(number)d") % {"number": index}
        if tables == QUARTER_FINALS:
            return _("Quarter-final %(number)d") % {"number": index}
    part = part_title(stage=stage, group=group, number=number, tables=tables)
    if tables == 1:
        return part
    return _("%(part)s, table %(number)d") % {"part": part, "number": index}


def _single_title(stage: Stage, group: str, number: int, tables: int) -> str:
    if group:
        return _("Match for the third place")
    if tables == 1:
        return pgettext("of a tournament", "Final")
    if stage.table_size > DUEL:
        return round_title(number)
    if tables == SEMI_FINALS:
        return _("Semi-finals")
    if tables == QUARTER_FINALS:
        return _("Quarter-finals")
    return _("Round of %(count)d") % {"count": tables * DUEL}


def _double_title(group: str, number: int, tables: int) -> str:
    if group == "final":
        return pgettext("of a tournament", "Final")
    if group == "reset":
        return _("Second final")
    if group == "losers":
        return _("Losers' round %(number)d") % {"number": number - 1}
    if tables == 1:
        return _("Winners' final")
    # The winners' bracket plays in round 1 and in all even ones.
    return _("Winners' round %(number)d") % {"number": number // 2 + 1}
