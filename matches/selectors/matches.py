"""What the pages of matches read. Every function fetches all its page needs in a fixed number of queries."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import structlog
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.utils.translation import gettext as _

from accounts.access import Reader
from common.errors import StoreAway
from common.words.sentences import translated
from core import replay
from games.registry import game_named, game_names
from jobs.files.storage import REPLAYS, Damaged, file_read
from jobs.leases import ATTEMPTS_MAX
from jobs.worker_names import worker_host
from ladder.models import BotVersion
from ladder.words.advice import advice_for
from matches.models import Attempt, Match, Result, Seat
from matches.selectors.filters import ALL_RATED, MatchFilter, matches_filter
from wire.turnlog import LoggedTurn, unpack

log = structlog.get_logger(__name__)


class ReplayUnreadable(Exception):  # noqa: N818 - says what is wrong, as the faults do
    """A replay is missing or damaged; the text is a sentence for the reader."""


@dataclass(frozen=True, slots=True)
class SeatForReader:
    """A seat as one reader may see it."""

    seat: Seat
    evidence: dict[str, Any]
    """Of the seat's fault; empty for everybody but the bot's owner, because standard error may hold his secrets."""
    advice: str
    """What the owner may do about the fault; empty where the evidence is."""


def matches_list(*, chosen: MatchFilter = ALL_RATED, reader: Reader | None = None) -> QuerySet[Match]:
    """Return the matches of a filter, newest first, with seats, versions and bots (2 queries, and those of the filter).

    Args:
        chosen: which; without, all ladder matches. Re-runs are also found at their originals, private tests at
            the pages of the tests.
        reader: who looks; private tests are shown to their owner alone.
    """
    return matches_filter(_matches_listed(), chosen=chosen, reader=reader)


def match_page(*, pk: int, reader: Reader) -> Match | None:
    """Return a match with all its page shows (4 queries), or None if there is none that the reader may see."""
    matches = _matches_with_seats().select_related("original__result", "replaced_by")
    matches = matches.prefetch_related("attempts", "reruns")
    return matches.filter(pk__in=Match.objects.visible_to(reader), pk=pk).first()


def match_plain(*, pk: int, reader: Reader) -> Match | None:
    """Return a match without anything else (1 query), or None: pages that wait ask often."""
    return Match.objects.visible_to(reader).filter(pk=pk).first()


def attempt_host(*, lease_token: str) -> str:
    """Return the invited host that plays an attempt (1 query); empty if it is none, or nobody has begun."""
    worker = Attempt.objects.filter(lease_token=lease_token).values_list("worker", flat=True).first()
    return worker_host(worker or "")


def match_replay_digest(*, pk: int) -> str | None:
    """Return the SHA-256 of a match's replay, or None when it has no result."""
    return Result.objects.filter(match=pk).values_list("replay_digest", flat=True).first()


WON = Q(rank=1) & ~Exists(Seat.objects.filter(match=OuterRef("match"), rank=1).exclude(pk=OuterRef("pk")))
"""Of a seat in a finished match: nobody else has the first place."""


def seats_rated(*, version: BotVersion) -> QuerySet[Seat]:
    """Return the seats of a version in matches that count."""
    return Seat.objects.filter(version=version, match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED)


def rerun_is_same(*, match: Match) -> bool | None:
    """Say whether a re-run came out as its original, answer by answer (no query); None while that cannot be told.

    The hash of a replay covers rules, seed, options, programs, answers and everything they led to, but no times.
    """
    if match.original is None or not (hasattr(match, "result") and hasattr(match.original, "result")):
        return None
    try:
        hashes = {replay_records(digest=row.result.replay_digest)[-1]["hash"] for row in (match, match.original)}
    except (ReplayUnreadable, StoreAway):
        return None
    return len(hashes) == 1


def seats_for_reader(*, match: Match, reader: Reader) -> list[SeatForReader]:
    """Return the seats in order, with the evidence of faults for the owner of the faulty bot alone (no query)."""
    return [_seat_for(seat, own=seat.version.bot.owner_id == reader.pk) for seat in match.seats.all()]


def _seat_for(seat: Seat, *, own: bool) -> SeatForReader:
    if not (own and seat.evidence):
        return SeatForReader(seat, evidence={}, advice="")
    evidence = {**seat.evidence, "sentence": translated(seat.evidence.get("sentence", ""))}
    return SeatForReader(
        seat, evidence=evidence, advice=advice_for(verdict=seat.verdict, step="", language=seat.version.language)
    )


def has_log(*, match: Match, reader: Reader) -> bool:
    """Tell whether there is a log of turns with something of the reader's own bots in it (no query)."""
    return hasattr(match, "result") and match.result.log_digest != "" and bool(_own_seats(match, reader))


def _own_seats(match: Match, reader: Reader) -> set[int]:
    return {seat.index for seat in match.seats.all() if seat.version.bot.owner_id == reader.pk}


def turns_for_reader(*, match: Match, reader: Reader) -> list[LoggedTurn]:
    """Return what the reader's own bots were asked, answered and wrote in a match, turn by turn (no query).

    Raises:
        ReplayUnreadable: the match has no log, it is no longer stored here, or damaged.
        StoreAway: nothing can be read just now.
    """
    own = _own_seats(match, reader)
    if not own:
        raise ReplayUnreadable(_("There is nothing of yours to be seen here."))
    return _turns(match.result.log_digest if hasattr(match, "result") else "", seats=own)


def check_turns(*, version: BotVersion) -> list[LoggedTurn]:
    """Return what a version was asked, answered and wrote in its check match, turn by turn (no query).

    Args:
        version: one of the reader's own, see ``version_check``; a house bot, or the version itself, has the other
            seats.

    Raises:
        ReplayUnreadable: there is no log, it is no longer stored here, or damaged.
        StoreAway: nothing can be read just now.
    """
    header = replay_records(digest=version.check_replay_digest)[0]
    own = {index for index, seat in enumerate(header["seats"]) if seat["digest"] == version.bundle_digest}
    return _turns(version.check_log_digest, seats=own)


def _turns(digest: str, *, seats: set[int]) -> list[LoggedTurn]:
    if not digest:
        raise ReplayUnreadable(
            _(
                "There is no log of turns: either the match has no result, or no bot wrote to standard error or was at "
                "fault, and the replay tells all."
            )
        )
    missing = _("The log of this match is no longer stored here.")
    try:
        return [turn for turn in unpack(_stored(digest, missing, damaged=missing)) if turn.seat in seats]
    except ValueError as error:
        raise ReplayUnreadable(missing) from error


def matches_of_older_rules() -> list[int]:
    """Return those that wait for a worker and were paired by other rules than their games have now (1 query)."""
    waiting = Match.objects.filter(state=Match.State.QUEUED, game__in=game_names())
    rows = waiting.values_list("pk", "game", "rules_version")
    return [pk for pk, game, rules_version in rows if rules_version != game_named(game).rules_version]


def match_failed_by_platform(*, match: Match) -> bool:
    """Say whether a void match was given up by our fault, not taken out by an administrator (no query)."""
    failed = [attempt for attempt in match.attempts.all() if attempt.ending != Attempt.Ending.WITHDRAWN]
    return match.state == Match.State.VOID and len(failed) >= ATTEMPTS_MAX and not hasattr(match, "result")


def version_check(*, pk: int, reader: Reader) -> BotVersion | None:
    """Return a version with a stored check match if it is the reader's own, else None: others shall not learn of it."""
    versions = BotVersion.objects.select_related("bot").exclude(check_replay_digest="")
    return versions.filter(pk=pk, bot__owner=reader.pk).first()


def replay_read(*, digest: str) -> bytes:
    """Return a stored replay (JSON lines in zstd) by its SHA-256.

    Raises:
        ReplayUnreadable: it is not stored here, or damaged.
        StoreAway: nothing can be read just now.
    """
    missing = _("The replay of this match is no longer stored here.")
    return _stored(digest, missing, damaged=_("The replay of this match is damaged and cannot be shown."))


def _stored(digest: str, missing: str, damaged: str) -> bytes:
    try:
        return file_read(store=REPLAYS, digest=digest)
    except FileNotFoundError as error:
        raise ReplayUnreadable(missing) from error
    except Damaged as error:  # whoever reads it may keep it for ever
        raise ReplayUnreadable(damaged) from error
    except OSError as error:
        log.exception("store_failed", store=REPLAYS)
        raise StoreAway(_("Replays cannot be read just now. Please try again in a few minutes.")) from error


def replay_records(*, digest: str) -> list[dict[str, Any]]:
    """Return the records of a stored replay: header, one a turn, footer.

    Raises:
        ReplayUnreadable: it is not stored here, or damaged.
        StoreAway: nothing can be read just now.
    """
    try:
        return replay.decode(replay_read(digest=digest))
    except ValueError as error:
        raise ReplayUnreadable(_("The replay of this match is damaged and cannot be shown.")) from error


def _matches_listed() -> QuerySet[Match]:
    """Return matches with what a table shows of them: no evidence and no build logs, which can be large."""
    shown = ("match", "index", "rank", "score", "verdict", "version__number", "version__bot__name")
    seats = Seat.objects.select_related("version__bot").only(*shown).order_by("index")
    matches = Match.objects.defer("options", "void_reason")
    return matches.prefetch_related(Prefetch("seats", queryset=seats)).order_by("-id")


def _matches_with_seats() -> QuerySet[Match]:
    seats = Seat.objects.select_related("version__bot__owner").order_by("index")
    return Match.objects.select_related("result").prefetch_related(Prefetch("seats", queryset=seats)).order_by("-id")
