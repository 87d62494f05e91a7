"""Queries for the pages of matches. Each function fetches all that its page needs in a fixed number of queries."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import structlog
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet, prefetch_related_objects
from django.http import Http404
from django.utils.translation import gettext as _

from accounts.access import Reader
from common.errors import StoreAway
from common.queries.sql import rows_read
from common.words.messages import sentence_of
from contests.selectors.visibility import seen_by
from core import replay
from core.text import printable
from games.registry import game_names, rules_versions
from jobs.files.storage import REPLAYS, Damaged, file_read
from jobs.leases import ATTEMPTS_MAX
from jobs.worker_names import worker_host
from ladder.models import BotVersion
from ladder.selectors.bots import own_among, own_condition
from ladder.words.advice import advice_for
from matches.models import Attempt, Match, RemoteSeat, Result, Seat
from matches.selectors.filters import ALL_RATED, MatchFilter, matches_filter, matches_shown
from wire.turnlog import LoggedTurn, unpack

log = structlog.get_logger(__name__)


class ReplayUnreadable(Http404):
    """A replay or log is missing or damaged; the text is a sentence for the reader. Pages answer 404 with it."""


@dataclass(frozen=True, slots=True)
class SeatForReader:
    """A seat with what a certain reader may see of its fault."""

    seat: Seat
    evidence: dict[str, Any]
    """Evidence of the seat's fault; empty for all readers but the bot's owners: standard error may hold secrets."""
    advice: str
    """What the owner may do about the fault; empty if ``evidence`` is."""


def matches_list(*, chosen: MatchFilter = ALL_RATED, reader: Reader | None = None) -> QuerySet[Match]:
    """Return the matches of a filter, newest first, with seats, versions and bots (2 queries, and those of the filter).

    Matches of private tests are returned to their owner alone, and those of contests that are not public as
    ``matches_shown`` says. A ``reader`` of None sees as a guest does.
    """
    matches = matches_shown(matches_unfiltered(), chosen=chosen, reader=reader)
    return matches_filter(matches, chosen=chosen, reader=reader)


def matches_unfiltered() -> QuerySet[Match]:
    """Return all matches of all contests, newest first, with seats, versions and bots (2 queries)."""
    # Only the columns that a table shows, without evidence and build logs, which can be large.
    shown = ("match", "index", "rank", "score", "verdict", "version__number", "version__bot__name")
    seats = Seat.objects.select_related("version__bot").only(*shown).order_by("index")
    matches = Match.objects.defer("options", "void_reason").prefetch_related(Prefetch("seats", queryset=seats))
    return matches.order_by("-id")


def match_page(*, pk: int, reader: Reader) -> Match | None:
    """Return a match with all that its page shows (4 queries, 5 for a table); None if this reader sees none."""
    seats = Prefetch(
        "seats", queryset=Seat.objects.select_related("version__bot__owner", "version__bot__team").order_by("index")
    )
    matches = Match.objects.select_related("contest", "result", "original__result", "replaced_by")
    matches = matches.prefetch_related(seats, "attempts", "reruns")
    match = matches.filter(pk__in=Match.objects.visible_to(reader), pk=pk).first()
    if match and match.kind == Match.Kind.EXHIBITION:
        prefetch_related_objects([match], "remote_seats")
    return match


def match_plain(*, pk: int, reader: Reader) -> Match | None:
    """Return a match with its contest (1 query); None if there is none that the reader may see."""
    return Match.objects.visible_to(reader).select_related("contest").filter(pk=pk).first()


def attempt_host(*, lease_token: str) -> str:
    """Return the name of the invited host that plays an attempt (1 query).

    Empty if one of the site's own workers plays it, or no worker yet.
    """
    # By hand-written SQL, since it runs for each answer of a player at a table, also in a flood of them: 0.2 ms of CPU
    # time on PostgreSQL, and 0.9 ms by Django.
    workers = rows_read("SELECT worker FROM matches_attempt WHERE lease_token = %s", lease_token)
    return worker_host(workers[0][0]) if workers else ""


def match_replay_digest(*, pk: int) -> str | None:
    """Return the SHA-256 of a match's replay, or None when it has no result, or its replay is not kept any more."""
    return Result.objects.filter(match=pk).exclude(replay_digest="").values_list("replay_digest", flat=True).first()


WON = Q(rank=1) & ~Exists(Seat.objects.filter(match=OuterRef("match"), rank=1).exclude(pk=OuterRef("pk")))
"""Condition on a seat of a finished match: it has the first place alone."""


def seats_rated(*, version: BotVersion) -> QuerySet[Seat]:
    """Return the seats of a version in finished rated matches."""
    return Seat.objects.filter(version=version, match__kind=Match.Kind.LADDER, match__state=Match.State.FINISHED)


def rerun_is_same(*, match: Match) -> bool | None:
    """Tell whether a re-run and its original have the same answers and results (no query).

    Their replays' hashes are compared, which cover rules, seed, options, programs, answers and all that follows from
    them, but no times. None if the match is no re-run, one of the two has no result, or a replay cannot be read.
    """
    if match.original is None or not (hasattr(match, "result") and hasattr(match.original, "result")):
        return None
    try:
        hashes = {replay_records(digest=row.result.replay_digest)[-1]["hash"] for row in (match, match.original)}
    except (ReplayUnreadable, StoreAway):
        return None
    return len(hashes) == 1


def places(*, match: Match) -> list[Seat | RemoteSeat]:
    """Return the seats of a match, remote ones among them, by index (no query if they are prefetched)."""
    remote = match.remote_seats.all() if match.kind == Match.Kind.EXHIBITION else ()
    return sorted([*match.seats.all(), *remote], key=lambda seat: seat.index)


def place_names(*, match: Match) -> list[str]:
    """Return the names of the bots and players of a match, by seat (no query if they are prefetched)."""
    return [seat.version.bot.name if isinstance(seat, Seat) else seat.name for seat in places(match=match)]


def seats_for_reader(*, match: Match, reader: Reader) -> list[SeatForReader]:
    """Return the seats in order; only the owners of a bot get the evidence of its fault (1 query if it has a team)."""
    seats = []
    own = own_among(bots=(seat.version.bot for seat in match.seats.all() if seat.evidence), reader=reader)
    bots = place_names(match=match)
    for seat in match.seats.all():
        evidence, advice = {}, ""
        if seat.evidence and seat.version.bot_id in own:
            evidence = evidence_for_reader(seat.evidence, game=match.game, bots=bots)
            advice = advice_for(verdict=seat.verdict, step="", language=seat.version.language)
        seats.append(SeatForReader(seat, evidence=evidence, advice=advice))
    return seats


def evidence_for_reader(stored: dict[str, Any], *, game: str, bots: Sequence[str] = ()) -> dict[str, Any]:
    """Return the evidence of a fault with ``sentence``, in the reader's language, instead of its message ``why``.

    ``bots`` are names by seat, which the sentence may contain.
    """
    rest = {name: value for name, value in stored.items() if name != "why"}
    return {**rest, "sentence": sentence_of(stored.get("why"), game, bots)}


def has_log(*, match: Match, reader: Reader) -> bool:
    """Tell whether a match has a turn log and the reader has a bot in the match (1 query if a bot has a team)."""
    return hasattr(match, "result") and match.result.log_digest != "" and bool(_own_seats(match, reader))


def _own_seats(match: Match, reader: Reader) -> set[int]:
    own = own_among(bots=(seat.version.bot for seat in match.seats.all()), reader=reader)
    return {seat.index for seat in match.seats.all() if seat.version.bot_id in own}


def turns_for_reader(*, match: Match, reader: Reader) -> list[LoggedTurn]:
    """Return what the reader's own bots were asked, answered and wrote in a match, turn by turn.

    1 query if one of the bots has a team; else none.

    Raises:
        ReplayUnreadable: the reader has no bot in the match, or its log is missing or damaged.
        StoreAway: the store of replays cannot be reached now.
    """
    own = _own_seats(match, reader)
    if not own:
        raise ReplayUnreadable(_("There is nothing of yours to be seen here."))
    return turns_read(digest=match.result.log_digest if hasattr(match, "result") else "", seats=own)


def check_turns(*, version: BotVersion) -> list[LoggedTurn]:
    """Return what a version was asked, answered and wrote in its check match, turn by turn (no query).

    The version is one of the reader's own, see ``version_check``; a house bot, or the version itself, has the other
    seats. Raises ReplayUnreadable and StoreAway as ``turns_read``.
    """
    header = replay_records(digest=version.check_replay_digest)[0]
    own = {index for index, seat in enumerate(header["seats"]) if seat["digest"] == version.bundle_digest}
    return turns_read(digest=version.check_log_digest, seats=own)


def turns_read(*, digest: str, seats: set[int]) -> list[LoggedTurn]:
    """Return the turns of these seats in a stored turn log. ``digest`` is its SHA-256, or empty if there is no log.

    Raises:
        ReplayUnreadable: there is no log, or it is missing or damaged.
        StoreAway: the store of replays cannot be reached now.
    """
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


def turns_printable(turns: Iterable[LoggedTurn]) -> list[LoggedTurn]:
    """Return turns whose texts, which bots have written, have no control characters (``core.text.printable``)."""
    texts = ("asked", "answered", "stderr")
    return [msgspec.structs.replace(turn, **{name: printable(getattr(turn, name)) for name in texts}) for turn in turns]


def matches_of_older_rules() -> list[int]:
    """Return the keys of waiting matches that were paired under other rules than their games have now (1 query).

    Re-runs are among them only if the rules of their originals are not installed any more.
    """
    waiting = Match.objects.filter(state=Match.State.QUEUED, game__in=game_names())
    older = []
    for pk, game, kind, rules_version in waiting.values_list("pk", "game", "kind", "rules_version"):
        known = rules_versions(game) if kind == Match.Kind.RERUN else rules_versions(game)[:1]
        if rules_version not in known:
            older.append(pk)
    return older


def match_failed_by_platform(*, match: Match) -> bool:
    """Tell whether a match is void after ``ATTEMPTS_MAX`` failed attempts, not by an administrator (no query)."""
    failed = [attempt for attempt in match.attempts.all() if attempt.ending != Attempt.Ending.WITHDRAWN]
    return match.state == Match.State.VOID and len(failed) >= ATTEMPTS_MAX and not hasattr(match, "result")


def version_check(*, pk: int, reader: Reader) -> BotVersion | None:
    """Return a version with a stored check match if it is the reader's own; else None, as if there were none."""
    versions = BotVersion.objects.select_related("bot__contest").exclude(check_replay_digest="")
    own = own_condition(reader=reader, prefix="bot__")
    return versions.filter(own, seen_by(reader, at="bot__contest"), pk=pk).first()


def replay_read(*, digest: str) -> bytes:
    """Return a stored replay (JSON lines in zstd) by its SHA-256.

    Raises:
        ReplayUnreadable: it is not stored here, or damaged.
        StoreAway: the store of replays cannot be reached now.
    """
    missing = _("The replay of this match is no longer stored here.")
    if not digest:
        raise ReplayUnreadable(missing)
    return _stored(digest, missing, damaged=_("The replay of this match is damaged and cannot be shown."))


def _stored(digest: str, missing: str, damaged: str) -> bytes:
    try:
        return file_read(store=REPLAYS, digest=digest)
    except FileNotFoundError as error:
        raise ReplayUnreadable(missing) from error
    except Damaged as error:  # must not be served: clients cache replays for ever
        raise ReplayUnreadable(damaged) from error
    except OSError as error:
        log.exception("store_failed", store=REPLAYS)
        raise StoreAway(_("Replays cannot be read just now. Please try again in a few minutes.")) from error


def replay_records(*, digest: str) -> list[dict[str, Any]]:
    """Return the records of a stored replay: header, one for each turn, footer.

    Raises ReplayUnreadable and StoreAway as ``replay_read``.
    """
    try:
        return replay.decode(replay_read(digest=digest))
    except ValueError as error:
        raise ReplayUnreadable(_("The replay of this match is damaged and cannot be shown.")) from error
