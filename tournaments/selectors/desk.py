"""What an organiser sees at the desk of a tournament."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import AuditEntry
from core.message import Message
from formats import model
from formats.standings import standings
from tournaments.models import Round, Table, Tournament
from tournaments.selectors.loading import RoundTold, Told, table_of
from tournaments.selectors.pages import PairingSeen, round_of

AUDIT_SHOWN = 50


@dataclass(frozen=True, slots=True)
class NextStep:
    """What an organiser is to do next, as the desk shows it: a sentence, and perhaps a button."""

    sentence: str
    """Where the tournament is, and what comes next."""
    act: str = ""
    """The name of the act that the button sends (``tournaments.views.desk``); empty: there is nothing to do."""
    button: str = ""
    sure: str = ""
    """A warning that says what cannot be undone; empty: the act can be undone."""
    round: int | None = None
    """Primary key of the round that the act is about; None: it is about no round."""


@dataclass(frozen=True, slots=True)
class DeskPairing:
    """A table at the desk: its row, as pages show it, and why these entrants meet."""

    row: Table
    seen: PairingSeen
    why: Message | None

    @property
    def is_open(self) -> bool:
        """Whether this table has no outcome yet."""
        return not self.row.outcome

    @property
    def choices(self) -> list[tuple[int, float]]:
        """What an organiser may give an entrant by hand, best first: (the form's value, the points from 0 to 1)."""
        steps = points_steps(len(self.seen.seats))
        return [(step, step / steps) for step in range(steps, -1, -1)]


def points_steps(seats: int) -> int:
    """Return by which number the points (0 to 1) of a table of so many seats are divided into steps.

    An opponent that was beaten counts two steps, a tie with one counts one.
    """
    return max(1, 2 * (seats - 1))


def desk_tables(*, told: Told, round_: RoundTold) -> list[DeskPairing]:
    """Return the tables of a round with their matches, undecided ones first, else by number (2 queries)."""
    seen = round_of(told=told, found=round_, with_matches=True).tables
    pairs = zip(round_.tables, seen, strict=True)
    tables = [DeskPairing(row, shown, table_of(round_.row, row).why) for row, shown in pairs]
    return sorted(tables, key=lambda table: (not table.is_open, table.row.number))


def desk_standings(*, told: Told) -> list[model.Standing]:
    """Return the standings of the last stage with a decided table, hidden results included; empty if there is none."""
    decided = told.decided
    if not decided:
        return []
    stage = max(each.pairing.stage for each in decided)
    return standings(stages=told.stages, stage=stage, entrants=told.entrants, decided=decided)


def round_hidden(*, told: Told) -> Round | None:
    """Return the first round whose results are hidden from others, or None (no query)."""
    return next((each.row for each in told.rounds if each.row.released_at is None), None)


def desk_audit(*, tournament: Tournament) -> QuerySet[AuditEntry]:
    """Return the newest entries of the audit log about a tournament, at most ``AUDIT_SHOWN``."""
    name = tournament.key
    about = Q(target=name) | Q(target__startswith=f"{name}: ")
    return AuditEntry.objects.filter(about, at__gte=tournament.created_at)[:AUDIT_SHOWN]


def next_step(*, told: Told, can_draw: bool) -> NextStep:
    """Return what an organiser is to do next.

    ``told`` is the tournament with all results; ``can_draw`` says whether the first round can be drawn now.
    """
    tournament, states = told.tournament, Tournament.State
    hidden = round_hidden(told=told)
    is_by_round = tournament.results == Tournament.Results.BY_ROUND
    if hidden and hidden.finished_at and is_by_round and tournament.state in (states.RUNNING, states.FINISHED):
        return NextStep(
            _("A round has been played, and its results are hidden. Release them when your audience is there."),
            "release-round",
            _("Release round %(number)d") % {"number": hidden.number},
            _("Everybody sees the results of this round then. Nobody can undo that."),
            hidden.pk,
        )
    match tournament.state:
        case states.DRAFT:
            return NextStep(
                _("Organisers alone see it. Once it is announced, everybody who sees the contest sees it."),
                "open",
                _("Announce"),
            )
        case states.OPEN:
            return NextStep(_open_words(tournament), "draw" if can_draw else "", _("Draw the first round"))
        case states.DRAWN:
            return NextStep(
                _("The entrants and their versions are fixed. Look at the first round; you may still draw again."),
                "start",
                _("Start"),
                _("Its matches are made then. Once one of them has a result, the draw stays for good."),
            )
        case states.RUNNING:
            return NextStep(_("It plays by itself: when all tables of a round are decided, the next round is drawn."))
        case states.PAUSED:
            return NextStep(_("Matches under way end, and no new ones are made."), "resume", _("Go on"))
        case states.FINISHED:
            return NextStep(
                _("All rounds are played. Results that are hidden stay so until you release them."),
                "release",
                _("Release all results"),
                _("Everybody sees all results then. Nobody can undo that."),
            )
    return NextStep(_("The tournament is over, and everything about it is public."))


def _open_words(tournament: Tournament) -> str:
    """Return how entrants get into an announced tournament."""
    match tournament.entry:
        case Tournament.Entry.SIGN_UP:
            return _("Owners enter their bots until the draw. It fixes the entrants and their versions.")
        case Tournament.Entry.BOARD:
            return _("The best of the board play, as it is at the draw. It fixes the entrants and their versions.")
    return _("Enter the bots below, then draw. The draw fixes the entrants and their versions.")
