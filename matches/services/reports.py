"""Checks whether a worker's report can be the result of a match, before ratings and replays rest on it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.message import Message
from core.record import Footer, SeatFault
from core.replay import BadReplay, header_and_footer
from matches.models import Match
from matches.selectors.matches import ReplayUnreadable, replay_read
from matches.selectors.statements import programs_of
from matches.verdicts import VERDICTS
from wire.jobs import FaultReport, MatchReport, SeatReport


def report_problem(*, match: Match, report: MatchReport) -> Message | None:
    """Say why a report cannot be the result of its match; None if it can.

    Raises:
        StoreAway: the store of replays cannot be reached now.
    """
    artifacts = [artifact for _match, _bot, _number, artifact, *_ in programs_of(matches=[match.pk])]
    if match.kind == Match.Kind.EXHIBITION:
        for index in match.remote_seats.order_by("index").values_list("index", flat=True):
            artifacts.insert(index, "")
    if len(report.seats) != len(artifacts):
        return Message("report-seats")
    return _seats_problem(report.seats) or _replay_problem(match, artifacts, report)


def _seats_problem(seats: Sequence[SeatReport]) -> Message | None:
    if 1 not in {seat.rank for seat in seats} or any(seat.rank > len(seats) for seat in seats):
        return Message("report-ranks")
    # The attack: a worker invents verdicts. Lists of matches would show them as faults of the bots, and each new word
    # would add a series to the metrics for ever.
    if any(seat.fault and seat.fault.verdict not in VERDICTS for seat in seats):
        return Message("report-verdict")
    if not all(math.isfinite(seat.score) for seat in seats):
        return Message("report-score")
    return None


def _replay_problem(match: Match, artifacts: Sequence[str], report: MatchReport) -> Message | None:
    """Compare header and footer of the stored replay with the match and the report; None if all agree.

    The attack: a worker reports a result without playing, with any file as the replay, or with the replay of another
    match. The turns are not played again here, which would take a hundred times as long (``core.replay.verify`` does).
    """
    if report.replay_digest is None:
        return Message("report-no-replay")
    try:
        header, footer = header_and_footer(replay_read(digest=report.replay_digest))
    except ReplayUnreadable:
        return Message("report-replay-missing")
    except BadReplay:  # the exception's own text may quote the file, and everybody reads this
        return Message("report-replay-broken")
    played = header.game, header.rules, header.seed, header.options, [seat.digest for seat in header.seats]
    if played != (match.game, match.rules_version, match.seed, match.options, artifacts):
        return Message("report-other-replay")
    if not _is_result_of(report, footer):
        return Message("report-other-result")
    return None


def _is_result_of(report: MatchReport, footer: Footer) -> bool:
    """Tell whether report and footer of the replay have the same turns, ranks, scores and faults."""
    return (
        footer.turns == report.turns
        and footer.ranks == [seat.rank for seat in report.seats]
        and footer.scores == [seat.score for seat in report.seats]
        and [_blame(fault) for fault in footer.faults] == [_blame(seat.fault) for seat in report.seats]
    )


def _blame(fault: SeatFault | FaultReport | None) -> tuple[str, int] | None:
    return (fault.verdict, fault.turn) if fault else None
