"""What is asked for every result and every job, in SQL: Django takes ten times as long to make these as to run them.

The same for SQLite and PostgreSQL. Each reads what its model says, no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from common.queries.sql import lock_clause, rows_read
from matches.models import Attempt, HeadToHead, Match, Seat


def match_locked(*, pk: int) -> Match | None:
    """Return a match, locked until the transaction ends."""
    match = "SELECT * FROM matches_match WHERE id = %s" + lock_clause()  # noqa: S608 - all text is ours
    return next(iter(Match.objects.raw(match, [pk])), None)


def attempt_with_token(*, token: str) -> Attempt | None:
    """Return the attempt that was begun with a lease token."""
    return next(iter(Attempt.objects.raw("SELECT * FROM matches_attempt WHERE lease_token = %s", [token])), None)


def seats_of(*, match: int) -> list[Seat]:
    """Return the seats of a match in their order."""
    return list(Seat.objects.raw('SELECT * FROM matches_seat WHERE match_id = %s ORDER BY "index"', [match]))


def matches_queued_locked(*, pks: Sequence[int]) -> dict[int, Match]:
    """Return those of these matches that wait for a worker, locked until the transaction ends.

    In the order of their numbers, so that two who lock some of the same do not wait for each other.
    """
    if not pks:
        return {}
    which = "state = 'queued' AND id IN " + _listed(pks) + " ORDER BY id" + lock_clause()
    queued = "SELECT * FROM matches_match WHERE " + which  # noqa: S608 - all text is ours
    return {match.pk: match for match in Match.objects.raw(queued, pks)}


def programs_of(*, matches: Sequence[int]) -> list[tuple[int, str, int, str, str, str]]:
    """Return match, bot, number, digest of the artifact, language and entry for each seat, in the order of seats."""
    return rows_read(
        "SELECT s.match_id, b.name, v.number, v.artifact_digest, v.language, v.entry"  # noqa: S608 - all text is ours
        " FROM matches_seat s JOIN ladder_botversion v ON v.id = s.version_id JOIN ladder_bot b ON b.id = v.bot_id"
        " WHERE s.match_id IN " + _listed(matches) + ' ORDER BY s."index"',
        *matches,
    )


def in_flight_count() -> tuple[int, int]:
    """Return how many matches wait or run, and how many of these are handed out."""
    ((matches, out),) = rows_read(
        "SELECT COUNT(*), COUNT(rung_at) FROM matches_match WHERE state IN ('queued', 'running')"
    )
    return matches, out


def in_flight_bots(*, held: tuple[datetime, datetime]) -> list[tuple[int, str, bool, int, int, bool]]:
    """Return match, line, whether it has been handed out, bot, owner, and whether the bot is a house bot.

    For each seat of what waits or runs.

    Args:
        held: not of those that are held until a time after the first, and not after the second.
    """
    return rows_read(
        "SELECT m.id, m.queue_class, m.rung_at IS NOT NULL, v.bot_id, b.owner_id, b.is_house"
        " FROM matches_match m JOIN matches_seat s ON s.match_id = m.id"
        " JOIN ladder_botversion v ON v.id = s.version_id JOIN ladder_bot b ON b.id = v.bot_id"
        " WHERE m.state IN ('queued', 'running')"
        " AND (m.held_until IS NULL OR m.held_until <= %s OR m.held_until > %s)",
        *held,
    )


def ladder_in_flight_counts() -> dict[str, int]:
    """Return how many rated matches wait or run, of each game that has any; those played again do not count."""
    return dict(
        rows_read(
            "SELECT game, COUNT(*) FROM matches_match WHERE kind = 'ladder' AND queue_class <> 'replaced'"
            " AND state IN ('queued', 'running') GROUP BY game"
        )
    )


def ladder_in_flight_versions(*, game: str) -> list[tuple[int, str, int]]:
    """Return match, line and version for each seat of the rated matches of a game that wait or run.

    Those that are played again do not count.
    """
    return rows_read(
        "SELECT m.id, m.queue_class, s.version_id FROM matches_match m JOIN matches_seat s ON s.match_id = m.id"
        " WHERE m.game = %s AND m.kind = 'ladder' AND m.queue_class <> 'replaced' AND m.state IN ('queued', 'running')",
        game,
    )


def opponents_count(*, version: int, matches: int) -> list[tuple[int, int]]:
    """Return each version that a version met in so many of its last rated matches, and in how many of them."""
    # Not by a join: the database may then begin with all rated matches, as it does while it knows a table to be small,
    # which takes thirty times as long.
    return rows_read(
        "SELECT o.version_id, COUNT(*) FROM matches_seat o WHERE o.version_id <> %s AND o.match_id IN ("
        "SELECT s.match_id FROM matches_seat s WHERE s.version_id = %s"
        " AND (SELECT m.kind = 'ladder' AND m.state = 'finished' FROM matches_match m WHERE m.id = s.match_id)"
        " ORDER BY s.match_id DESC LIMIT %s"
        ") GROUP BY o.version_id",
        *(version, version, matches),
    )


def pairs_of(*, trial: int) -> list[tuple[tuple[str, str], tuple[int, ...]]]:
    """Return how far each pair of a trial is, in their order.

    Both states; and the ranks of the candidate and of the other in the first match, and in the second. 0: no rank yet.
    """
    # Not by joins: of a long trial the database may then read all seats there are.
    state = "(SELECT state FROM matches_match WHERE id = p.{}_id)"
    rank = '(SELECT COALESCE(rank, 0) FROM matches_seat WHERE match_id = p.{}_id AND "index" = {})'
    states = [state.format(match) for match in ("first", "second")]
    ranks = [rank.format(*seat) for seat in (("first", 0), ("first", 1), ("second", 1), ("second", 0))]
    rows = rows_read(
        "SELECT " + ", ".join(states + ranks) + " FROM matches_trialpair p WHERE p.trial_id = %s ORDER BY p.number",  # noqa: S608 - all text is ours
        trial,
    )
    return [(row[:2], row[2:]) for row in rows]


def tallies_of(*, pairs: Sequence[tuple[int, int]]) -> list[HeadToHead]:
    """Return the tallies of bots against opponents, of those pairs that have one."""
    # Pair by pair: those of all bots among each other are more, the longer an arena has played.
    pair = "(bot_id, opponent_id) IN (VALUES " + ", ".join(["(%s, %s)"] * len(pairs)) + ")"
    tallies = "SELECT * FROM matches_headtohead WHERE " + pair  # noqa: S608 - all text is ours
    return list(HeadToHead.objects.raw(tallies, [bot for bots in pairs for bot in bots]))


def _listed(keys: Sequence[int]) -> str:
    """Return as many places for values as there are keys."""
    return f"({', '.join(['%s'] * len(keys))})"
