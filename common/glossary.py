"""The terms that pages explain where they stand, and that the page *Help* lists."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy


@dataclass(frozen=True, slots=True)
class Term:
    """A term of the glossary."""

    title: Promise
    text: Promise


TERMS: dict[str, Term] = {
    "bot": Term(_("Bot"), _("A program that plays a game by itself: it reads lines of text and answers with lines.")),
    "rating": Term(
        _("Elo points, rating"),
        _("How strong a bot is, by its results. Who is 200 points ahead wins about three of four matches."),
    ),
    "interval": Term(
        _("Interval (±)"),
        _(
            "How far the rating may still be from the truth: nineteen of twenty true strengths lie within it. It"
            " shrinks with each match."
        ),
    ),
    "provisional": Term(
        _("Provisional"),
        _("Too few matches, or too wide an interval, for rank and rating to be trusted: they carry a question mark."),
    ),
    "league": Term(
        _("League"),
        _(
            "A part of the board, from Jonokuchi up, where at least 20 bots play. A bot enters one when its rating is"
            " sure. It is promoted when its whole interval lies above the rating of the next boss, a house bot."
        ),
    ),
    "house": Term(_("House bot"), _("A bot of the arena. Its fixed rating holds the scale in place.")),
    "seat": Term(
        pgettext_lazy("in a match", "Seat"),
        _(
            "A bot's place in a match: A begins, B comes next. Seats change between matches, so that nobody has an"
            " advantage."
        ),
    ),
    "turn": Term(_("Turn"), _("One step of a match: bots are asked, they answer, and the board changes.")),
    "seed": Term(
        _("Seed"),
        _("The number from which a match draws its board and all its chance. The same seed gives the same match."),
    ),
    "replay": Term(
        _("Replay"), _("The record of a match, turn by turn. Anybody can watch it, download it and check it.")
    ),
    "fault": Term(
        _("Fault"),
        _(
            "What loses a match without playing it out: a crash, an answer that is too late, or one that the rules do"
            " not allow. The owner sees what happened."
        ),
    ),
    "probation": Term(
        _("Probation"),
        _("A bot that fails again and again is not paired any more until its owner has looked at its faults."),
    ),
    "version": Term(
        _("Version"), _("One upload of a bot. A new version takes the place of the old one and inherits its rating.")
    ),
    "challenge": Term(
        pgettext_lazy("two matches", "Challenge"),
        _("Two matches against a bot of your choice. They are public and not rated."),
    ),
    "trial": Term(
        _("Private test"),
        _("Unrated matches between two versions of your bot until it is clear which is better. Only you see them."),
    ),
}
