"""Celery tasks of matches: each hands its message to a service."""

from __future__ import annotations

from contests.selectors.contests import contests_played
from jobs.celery_app import app
from jobs.report_auth import heartbeat_task, report_task
from jobs.services.dispatching import queue_dispatch
from ladder.tasks import BRIEFLY, PATIENTLY
from matches.services.close_matches import close_matches_note
from matches.services.final_boards import final_boards_sign
from matches.services.match_jobs import MATCHES
from matches.services.pairing import contests_to_pair, matches_pair, matches_pair_again
from matches.services.ratings import boards_outdated, ratings_refit_in_turn
from matches.services.replays import replays_thin
from matches.services.streams import streams_sweep
from matches.services.tallies import tallies_outdated, tallies_update
from matches.services.trials import trials_step
from wire.jobs import (
    MATCH_HEARTBEAT_TASK,
    MATCH_RESULT_TASK,
    Heartbeat,
    MatchReport,
)


@heartbeat_task(MATCH_HEARTBEAT_TASK, Heartbeat, **BRIEFLY)
def match_heartbeat_task(report: Heartbeat) -> None:
    """Note that a match is being played."""
    MATCHES.heartbeat(report=report)


@report_task(MATCH_RESULT_TASK, MatchReport, **PATIENTLY)
def match_result_task(report: MatchReport) -> None:
    """Record how an attempt ended, and pair new matches of its contest if its queue is short."""
    if match := MATCHES.record(report=report):
        matches_pair_again(contest=match.contest_id)


@app.task(name="matches.sweep")
def matches_sweep_task() -> None:
    """Requeue matches of lost workers, and send lost messages again."""
    MATCHES.sweep()


@app.task(name="matches.sweep_streams")
def streams_sweep_task() -> None:
    """Give every key that a host created in the broker a time-to-live."""
    streams_sweep()


@app.task(name="matches.dispatch")
def queue_dispatch_task() -> None:
    """Hand out waiting builds and matches to workers."""
    queue_dispatch()


@app.task(name="matches.pair")
def matches_pair_task() -> None:
    """Keep the queues of all open contests full."""
    for contest in contests_to_pair():
        matches_pair(contest=contest)


@app.task(name="matches.refit")
def ratings_refit_task() -> None:
    """Fit the ratings of all contests that have new results, and bring the tallies up to date."""
    for contest in boards_outdated(contests=contests_played()):
        ratings_refit_in_turn(contest=contest)
    for contest in tallies_outdated():
        tallies_update(contest=contest)


@app.task(name="matches.note_close")
def close_matches_note_task() -> None:
    """Note the close matches of the last moments for feeds and followers."""
    close_matches_note()


@app.task(name="matches.sign_boards")
def final_boards_sign_task() -> None:
    """Take the finals of frozen contests on, and sign the boards of those whose last matches have ended."""
    final_boards_sign()


@app.task(name="matches.thin_replays")
def replays_thin_task() -> None:
    """Delete some of the replays that the rules of archived contests do not keep."""
    replays_thin()


@app.task(name="matches.trials")
def trials_step_task() -> None:
    """Judge running private tests, and queue their next pairs."""
    trials_step()
