"""The dates of a contest in their order, for its page and its calendar."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from contests.models import Contest

State = Contest.State


@dataclass(frozen=True, slots=True)
class ContestDate:
    """A date of a contest or tournament."""

    key: str
    """Its name for programs: ``opens``, ``entries``, ``frozen`` or ``signed`` of a contest."""
    title: str
    """Its name in the reader's language."""
    at: datetime | None
    """When it is or was; None: the organisers have not chosen it, and pages show ``note``."""
    note: str
    """The words that pages show instead of a date that is not chosen."""
    is_past: bool


def contest_dates(*, contest: Contest) -> list[ContestDate]:
    """Return the dates of a contest, past and coming ones, in their order (no query)."""
    begun, over, signed = contest.state != State.DRAFT, contest.is_over, contest.board_signed_at
    closed, closes_at = over or contest.is_past_deadline(), contest.entries_until
    if over and contest.frozen_at:  # a freeze may come before the deadline
        closes_at = min(closes_at or contest.frozen_at, contest.frozen_at)
    dates = [
        ContestDate("opens", _("Opened") if begun else _("Opens"), contest.opens_at, "", begun),
        ContestDate(
            "entries", _("Uploads closed") if closed else _("Uploads close"), closes_at, _("with the freeze"), closed
        ),
        ContestDate(
            "frozen", _("Frozen") if over else _("Freezes"), contest.frozen_at, _("when its organisers say so"), over
        ),
        ContestDate(
            "signed",
            _("Final board signed") if signed or not contest.final_by else _("Final board signed at the latest"),
            signed or contest.final_by,
            _("after its last match"),
            signed is not None,
        ),
    ]
    return dates if contest.opens_at else dates[1:]


def stage_of(contest: Contest) -> str:
    """Return in one or two words where a contest is, for lists and its page (no query)."""
    if contest.state == State.OPEN:
        return _("last matches") if contest.is_past_deadline() else _("running")
    if contest.state == State.FROZEN:
        return _("final matches") if contest.is_in_finals else _("over")
    if contest.state == State.DRAFT:
        return _("draft")
    return _("paused") if contest.state == State.PAUSED else _("archived")


def next_date(contest: Contest) -> ContestDate | None:
    """Return the first date of a contest that is still to come and has been chosen, or None (no query)."""
    return next((date for date in contest_dates(contest=contest) if date.at and not date.is_past), None)
