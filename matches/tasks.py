"""Celery tasks of matches: each hands its message to a service."""

from __future__ import annotations

from contests.selectors.contests import contests_played
from jobs.celery_app import app, task_register
from jobs.report_auth import heartbeat_task, report_task
from jobs.services.dispatching import queue_dispatch
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


@heartbeat_task(MATCH_HEARTBEAT_TASK, Heartbeat)
def match_heartbeat_task(report: Heartbeat) -> None:
    """Note that a match is being played."""
    MATCHES.heartbeat(report=report)


@report_task(MATCH_RESULT_TASK, MatchReport)
def match_result_task(report: MatchReport) -> None:
    """Record how an attempt ended, and pair new matches of its contest if its queue is short."""
    if match := MATCHES.record(report=report):
        matches_pair_again(contest=match.contest_id)


@app.task(name="matches.pair")
def matches_pair_task() -> None:
    """Keep the queues of all contests full that are paired: open ones, and those whose final matches are played."""
    for contest in contests_to_pair():
        matches_pair(contest=contest)


@app.task(name="matches.refit")
def ratings_refit_task() -> None:
    """Fit the ratings of all contests that have new results, and bring the tallies up to date."""
    for contest in boards_outdated(contests=contests_played()):
        ratings_refit_in_turn(contest=contest)
    for contest in tallies_outdated():
        tallies_update(contest=contest)


task_register("matches.sweep", MATCHES.sweep)
task_register("matches.sweep_streams", streams_sweep)
task_register("matches.dispatch", queue_dispatch)
task_register("matches.note_close", close_matches_note)
task_register("matches.sign_boards", final_boards_sign)
task_register("matches.thin_replays", replays_thin)
task_register("matches.trials", trials_step)
