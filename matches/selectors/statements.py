"""Queries that run for every job and every result, in SQL: a match would cost a manager twice as much by Django's.

On PostgreSQL each takes 0.1 to 0.7 ms of CPU time, and Django's for the same rows 0.7 to 1.9 ms, which are hardly spent
in the database (``python -m tests.bench.statements``, docs/understand/performance.md).

The SQL works on SQLite and PostgreSQL. Each query names the tables and columns of the models; a
test runs each of them against rows that Django has written.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from common.queries.sql import lock_clause, rows_read
from matches.models import Attempt, HeadToHead, Match, Seat


def match_locked(*, pk: int) -> Match | None:
    """Lock a match until the transaction ends, and return it; None if there is none."""
    match = "SELECT * FROM matches_match WHERE id = %s" + lock_clause()  # noqa: S608 - all text is ours
    return next(iter(Match.objects.raw(match, [pk])), None)


def attempt_with_token(*, token: str) -> Attempt | None:
    """Return the attempt with a lease token; None if there is none."""
    return next(iter(Attempt.objects.raw("SELECT * FROM matches_attempt WHERE lease_token = %s", [token])), None)


def seats_of(*, match: int) -> list[Seat]:
    """Return the seats of a match in their order."""
    return list(Seat.objects.raw('SELECT * FROM matches_seat WHERE match_id = %s ORDER BY "index"', [match]))


def programs_of(*, matches: Sequence[int]) -> list[tuple[int, str, int, str, str, str]]:
    """Return a row for each seat of some matches, in the order of seats.

    Returns:
        Key of the match, name of the bot, number of the version, digest of its artifact, language, entry.
    """
    return rows_read(
        "SELECT s.match_id, b.name, v.number, v.artifact_digest, v.language, v.entry"  # noqa: S608 - all text is ours
        " FROM matches_seat s JOIN ladder_botversion v ON v.id = s.version_id JOIN ladder_bot b ON b.id = v.bot_id"
        " WHERE s.match_id IN " + _listed(matches) + ' ORDER BY s."index"',
        *matches,
    )


def in_flight_count() -> tuple[int, int]:
    """Return how many matches wait or run, and for how many of these a message has been sent to workers.

    Exhibitions, which have workers of their own, do not count.
    """
    ((matches, out),) = rows_read(
        "SELECT COUNT(*), COUNT(notified_at) FROM matches_match"
        " WHERE state IN ('queued', 'running') AND queue_class <> 'table'"
    )
    return matches, out


def in_flight_bots(*, held: tuple[datetime, datetime]) -> list[tuple[int, str, str, bool, int, int, bool]]:
    """Return a row for each seat of the matches that wait or run, without matches that are held now and exhibitions.

    Args:
        held: a match is held if its ``held_until`` lies after the first moment and not after the second.

    Returns:
        Key of the match, key of its contest, queue class, whether its message has been sent, key of the bot, key of its
        owner, whether it is a house bot.
    """
    return rows_read(
        "SELECT m.id, m.contest_id, m.queue_class, m.notified_at IS NOT NULL, v.bot_id, b.owner_id, b.is_house"
        " FROM matches_match m JOIN matches_seat s ON s.match_id = m.id"
        " JOIN ladder_botversion v ON v.id = s.version_id JOIN ladder_bot b ON b.id = v.bot_id"
        " WHERE m.state IN ('queued', 'running') AND m.queue_class <> 'table'"
        " AND (m.held_until IS NULL OR m.held_until <= %s OR m.held_until > %s)",
        *held,
    )


def ladder_in_flight_counts() -> dict[str, int]:
    """Return how many rated matches wait or run in each contest that has any, without the queue class ``replaced``."""
    return dict(
        rows_read(
            "SELECT contest_id, COUNT(*) FROM matches_match WHERE kind = 'ladder' AND queue_class <> 'replaced'"
            " AND state IN ('queued', 'running') GROUP BY contest_id"
        )
    )


def ladder_in_flight_versions(*, contest: str) -> list[tuple[int, str, int]]:
    """Return key of the match, queue class and version for each seat of a contest's rated matches that wait or run.

    Matches of the queue class ``replaced`` are left out.
    """
    return rows_read(
        "SELECT m.id, m.queue_class, s.version_id FROM matches_match m JOIN matches_seat s ON s.match_id = m.id"
        " WHERE m.contest_id = %s AND m.kind = 'ladder' AND m.queue_class <> 'replaced'"
        " AND m.state IN ('queued', 'running')",
        contest,
    )


def opponents_count(*, version: int, matches: int) -> list[tuple[int, int]]:
    """Return each version that a version met in its last rated matches, and in how many of these.

    Args:
        version: key of the version.
        matches: how many of its last rated matches count.
    """
    # A subquery, not a join: with a join the database may begin with all rated matches, as it does while its statistics
    # say that a table is small, which takes thirty times as long.
    return rows_read(
        "SELECT o.version_id, COUNT(*) FROM matches_seat o WHERE o.version_id <> %s AND o.match_id IN ("
        "SELECT s.match_id FROM matches_seat s WHERE s.version_id = %s"
        " AND (SELECT m.kind = 'ladder' AND m.state = 'finished' FROM matches_match m WHERE m.id = s.match_id)"
        " ORDER BY s.match_id DESC LIMIT %s"
        ") GROUP BY o.version_id",
        *(version, version, matches),
    )


def tallies_of(*, pairs: Sequence[tuple[int, int]]) -> list[HeadToHead]:
    """Return the tallies that exist for some pairs of bot and opponent."""
    # By pairs, not by all bots against all opponents: those are more, the longer an arena has played.
    pair = "(bot_id, opponent_id) IN (VALUES " + ", ".join(["(%s, %s)"] * len(pairs)) + ")"
    tallies = "SELECT * FROM matches_headtohead WHERE " + pair  # noqa: S608 - all text is ours
    return list(HeadToHead.objects.raw(tallies, [bot for bots in pairs for bot in bots]))


def _listed(keys: Sequence[int]) -> str:
    """Return an SQL list with as many placeholders as there are keys."""
    return f"({', '.join(['%s'] * len(keys))})"
