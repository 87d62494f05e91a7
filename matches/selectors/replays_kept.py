"""Which replays the rule of a contest keeps once it is archived, and how much the others take."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.files.storage import storages

from common.queries.sql import rows_read
from contests.models import Contest
from jobs.files.storage import REPLAYS
from matches.models import Match, Result, Seat

MATCHES_MAX = 100_000
"""How many matches are read at once."""
_SAMPLE = 20

# Each pair of bots at a table has its own newest matches; a match of three bots is kept if one of its pairs keeps it.
# The matches of a private test are of one bot with itself. Matches whose replays are gone take no part: they are never
# among the newest. All replays of tournaments stay, and those of exhibitions until they are old.
_THINNED = """
WITH kept AS (
  SELECT DISTINCT match_id FROM (
    SELECT match_id, ROW_NUMBER() OVER (PARTITION BY low, high ORDER BY match_id DESC) AS place FROM (
      SELECT DISTINCT s.match_id, CASE WHEN v.bot_id < w.bot_id THEN v.bot_id ELSE w.bot_id END AS low,
        CASE WHEN v.bot_id < w.bot_id THEN w.bot_id ELSE v.bot_id END AS high
      FROM matches_match m
      JOIN matches_seat s ON s.match_id = m.id
      JOIN matches_seat t ON t.match_id = m.id AND t."index" > s."index"
      JOIN matches_result r ON r.match_id = m.id AND r.replay_digest <> ''
      JOIN ladder_botversion v ON v.id = s.version_id
      JOIN ladder_botversion w ON w.id = t.version_id
      WHERE m.contest_id = %s AND m.state = 'finished' AND m.kind NOT IN ('tournament', 'exhibition')
    ) AS pairs
  ) AS placed WHERE place <= %s
)
SELECT m.id FROM matches_match m
JOIN matches_result r ON r.match_id = m.id
LEFT JOIN kept ON kept.match_id = m.id
WHERE m.contest_id = %s AND m.kind NOT IN ('tournament', 'exhibition')
  AND r.replay_digest <> '' AND kept.match_id IS NULL
ORDER BY m.id LIMIT %s
"""


@dataclass(frozen=True, slots=True)
class Thinning:
    """What is deleted once a contest is archived."""

    kept: int
    """The number of ``Contest.replays_kept`` for which it was counted."""
    replays: int
    """How many replays; ``MATCHES_MAX`` may also mean more."""
    mebibytes: float
    """How much disk space they take, estimated by some of them."""


def matches_to_thin(*, contest: Contest) -> list[int]:
    """Return the matches whose replays the rule of a contest does not keep, at most ``MATCHES_MAX`` (3 queries).

    It keeps those of tournaments, the newest ``replays_kept`` of each pair of bots, and two records: the match with the
    highest score and the longest one. Empty for a contest that keeps all.
    """
    if contest.replays_kept is None:
        return []
    records = _records(contest.pk)
    rows = rows_read(_THINNED, contest.pk, contest.replays_kept, contest.pk, MATCHES_MAX + len(records))
    return [pk for (pk,) in rows if pk not in records][:MATCHES_MAX]


def _records(contest: str) -> set[int]:
    """Return the rated match with the highest score, and the one with the most turns (2 queries)."""
    rated = {"match__contest": contest, "match__kind": Match.Kind.LADDER, "match__state": Match.State.FINISHED}
    highest = Seat.objects.filter(**rated, score__isnull=False).order_by("-score", "match").values_list("match")
    longest = Result.objects.filter(**rated).order_by("-turns", "match").values_list("match")
    return {row[0] for row in (highest.first(), longest.first()) if row}


def thinning_of(*, contest: Contest) -> Thinning | None:
    """Return what archiving a frozen contest deletes, as ``thinning_count`` has stored it (no query).

    None until it has been counted, and for a contest that keeps all replays.
    """
    found = Thinning(**contest.replays_thinning) if contest.replays_thinning else None
    return found if found and found.kept == contest.replays_kept else None


def thinning_count(*, contest: Contest) -> Thinning:
    """Count what archiving a contest deletes (4 queries, which take seconds for a hundred thousand matches)."""
    matches = matches_to_thin(contest=contest)
    sample = matches[:: max(len(matches) // _SAMPLE, 1)][:_SAMPLE]
    digests = Result.objects.filter(match__in=sample).values_list("replay_digest", flat=True)
    sizes = [_size(digest) for digest in digests]
    mean = sum(sizes) / len(sizes) if sizes else 0
    return Thinning(contest.replays_kept or 0, len(matches), round(mean * len(matches) / 2**20, 1))


def _size(digest: str) -> int:
    try:
        return storages[REPLAYS].size(digest)
    except OSError:  # deleted by hand, or the store does not answer: the estimate is smaller
        return 0
