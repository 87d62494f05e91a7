"""Replays for workers that only pretend to play: header and footer of a match, without turns."""

from __future__ import annotations

from collections.abc import Sequence

from core.game import JsonObject
from core.message import said
from core.record import Footer, Header, SeatFault, SeatInfo, record_of
from core.replay import encode
from wire.jobs import MatchReport, PlayJob


def header_of(game: str, rules: str, seed: int, options: JsonObject, artifacts: Sequence[str]) -> Header:
    """Return the header of a match's replay; names and first frame are placeholders."""
    return Header(2, game, rules, seed, options, [SeatInfo("", digest=digest) for digest in artifacts], {}, {})


def header_of_job(job: PlayJob) -> Header:
    """Return the header of the replay of a job's match."""
    artifacts = [seat.artifact_digest for seat in job.seats]
    return header_of(job.game, job.rules_version, job.seed, job.options, artifacts)


def replay_telling(header: Header, report: MatchReport) -> bytes:
    """Return a replay with the same result as a report."""
    faults = [seat.fault and SeatFault(seat.fault.verdict, said(""), seat.fault.turn) for seat in report.seats]
    ranks, scores = [seat.rank for seat in report.seats], [seat.score for seat in report.seats]
    footer = Footer(ranks, scores, faults, report.turns, hash="")
    return encode([record_of(header), record_of(footer)])
