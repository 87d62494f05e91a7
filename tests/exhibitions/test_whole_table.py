"""A whole table: opened by the service, played by a worker in its sandbox, answered as by a remote program."""

from __future__ import annotations

import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from asgiref.sync import async_to_sync
from redis import Redis

from exhibitions.seat_events import seat_news
from exhibitions.services.answering import seat_answer
from matches.models import Match
from matches.services.match_jobs import MATCHES
from tests.exhibitions.makers import HOST, make_player, make_table, seat_of, table_begin
from tests.matches.makers import make_version, store_replay
from tests.workers.conftest import GOOD_BOT, FileSite, backend, seat_program, site, tools
from wire.jobs import RemoteProgram, TableJob
from wire.tables import Answer
from workers.play import Tools
from workers.table_link import TableLink
from workers.tables import table_match_play

__all__ = ["backend", "site", "tools"]
pytestmark = pytest.mark.django_db(transaction=True)
MEDIAN_SECONDS_MAX = 0.15


def test_a_program_plays_to_the_end(streams: Redis, site: FileSite, tools: Tools, broker_url: str) -> None:
    """The next question comes within 150 ms after an answer, at the median, if the bot answers at once."""
    program = seat_program(site, GOOD_BOT, "Beta")
    match = (
        opened := make_table(make_player(), bot=make_version("Beta", artifact_digest=program.artifact_digest))
    ).match
    table_begin(match)
    match.refresh_from_db()
    job = TableJob(
        match_id=match.pk,
        attempt=match.attempt,
        lease_token=match.lease_token,
        game=match.game,
        rules_version=match.rules_version,
        options=match.options,
        seed=match.seed,
        bots={1: program},
        remotes={0: RemoteProgram("Ada", 60, 3)},
        replay_url=f"{site.url}/put",
    )
    stopped, waits, after, asked_at, events = threading.Event(), [], "", 0.0, []
    with Redis.from_url(broker_url, socket_timeout=5) as client, ThreadPoolExecutor(1) as pool:
        link = TableLink(
            client, match.lease_token, host=HOST, seats=[0], must_end=lambda: "The test is over." * stopped.is_set()
        )
        playing = pool.submit(table_match_play, job, tools, link)
        try:
            while "ended" not in events:
                news = async_to_sync(seat_news)(seat=seat_of(opened), after=after, wait_seconds=30, language="en")
                assert news.events, "nothing comes any more"
                after = news.after
                events += [each["event"] for each in news.events]
                for each in news.events:
                    if each["event"] == "question":
                        waits += [time.monotonic() - asked_at] if asked_at else []
                        lines = ["NONE"] * each["data"]["answer_lines"]
                        answer = Answer(each["data"]["number"], lines)
                        asked_at = time.monotonic()
                        seat_answer(seat=seat_of(opened), answer=answer)
        finally:
            stopped.set()
        report = playing.result(30)
    store_replay(site.files[report.replay_digest or ""])
    MATCHES.record(report=report)
    match.refresh_from_db()
    assert match.state == Match.State.FINISHED, match.void_reason
    assert match.remote_seats.get().verdict == ""
    assert len(waits) > 20
    assert statistics.median(waits) < MEDIAN_SECONDS_MAX
