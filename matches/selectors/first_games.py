"""Queries about a version's first games: how many it has played, and how long the rest will take."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from statistics import fmean

from django.db.models import Count, F, Q
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.access import Reader
from contests.models import Contest
from contests.selectors.contests import play_problem, tables_of
from contests.selectors.visibility import seen_by
from jobs.fairness import BUILD, HOUSE_BUILD
from jobs.selectors.workers import processes_count
from ladder.models import BotVersion
from ladder.selectors.bots import own_condition, participant_key
from ladder.selectors.builds import builds_nobody_awaits
from matches.first_games_estimate import FIRST_GAMES, Newcomer, QueueLoad, seconds_expected
from matches.models import Attempt, Match, Seat

State = BotVersion.State
QueueClass = Match.QueueClass
_BUILDING = (State.RECEIVED, State.UPLOADED, State.BUILDING)
_FINALS = (Contest.FinalStage.BUILDING, Contest.FinalStage.PLAYING)
_MEASURED = 50
"""Number of newest matches or builds over which their mean duration is taken."""
_HOUSE_NEWCOMERS = 2
"""All house bots that are still to be built count as this many newcomers: people's come first, but no version has more
than ``IN_FLIGHT_MAX`` matches at a time, and house bots play the others (twice as many as a newcomer, as measured)."""
_MATCH_SECONDS, _BUILD_SECONDS = 10.0, 20.0
"""The durations that are assumed while no match has been played, or no version built."""


@dataclass(frozen=True, slots=True)
class FirstGames:
    """How far a version is with its first games."""

    version: BotVersion
    played: int
    goal: int
    seconds: float | None
    """Estimate from now until all of them have been played; None if there is a problem."""
    problem: str
    """Why there is no estimate, in whole sentences; else empty."""

    @property
    def minutes(self) -> int:
        """``seconds`` in whole minutes, rounded up, at least 1."""
        return max(1, math.ceil((self.seconds or 0.0) / 60))


def version_placing(*, pk: int, reader: Reader) -> BotVersion | None:
    """Return a person's version that is active, or not built yet and the reader's own (1 query); else None."""
    seen = Q(state=State.ACTIVE) | (Q(state__in=_BUILDING) & own_condition(reader=reader, prefix="bot__"))
    versions = BotVersion.objects.select_related("bot__contest", "rating").defer("log")
    return versions.filter(seen, seen_by(reader, at="bot__contest"), pk=pk, bot__is_house=False).first()


def first_games(*, version: BotVersion) -> FirstGames | None:
    """Return how far a version is with its first games (11 queries at most), or None when it has played them."""
    played = Seat.objects.filter(version=version, match__in=Match.objects.rated()).count()
    if played >= FIRST_GAMES:
        return None
    field = _Field()
    contest = version.bot.contest
    problem = "" if contest.is_in_finals else play_problem(contest.state)
    if not problem and version.state == State.UPLOADED and field.is_outdated(version):
        problem = _(
            "A newer version of this bot is built first, and plays instead. Should it be rejected, this one's turn"
            " comes; else it is built when few others wait, for private tests."
        )
    elif not problem:
        problem = field.opponents_problem(version) or field.workers_problem(version)
    if problem:
        return FirstGames(version, played, FIRST_GAMES, None, problem)
    newcomer = field.newcomer(version.bot.contest_id, FIRST_GAMES - played)
    seconds = seconds_expected(newcomer, field.load(version))
    if held_until := version.waits_until:  # a build that failed by our fault is tried again only then
        seconds += (held_until - timezone.now()).total_seconds()
    return FirstGames(version, played, FIRST_GAMES, seconds, "")


class _Field:
    """All versions that play or are built now, and how long matches and builds have lately taken."""

    def __init__(self) -> None:
        active = BotVersion.objects.filter(state=State.ACTIVE)
        self.active = Counter(dict(active.order_by().values_list("bot__contest").annotate(Count("pk"))))
        few = Q(rating__isnull=True) | Q(rating__games__lt=FIRST_GAMES)
        finals = Q(bot__contest__state=Contest.State.FROZEN, bot__contest__final_stage__in=_FINALS)
        playing = Q(bot__contest__state=Contest.State.OPEN) | finals
        self.placing = list(active.filter(few, playing).values_list("pk", "bot__contest", F("rating__games")))
        building = BotVersion.objects.filter(state__in=_BUILDING).annotate(unawaited=builds_nobody_awaits())
        columns = ("pk", "bot__contest", "unawaited", "bot__owner")  # builders take turns by owners, not by teams
        self.building = list(building.order_by("pk").values_list(*columns))
        self.house_coming = set(building.filter(bot__is_house=True).values_list("bot__contest", flat=True))
        coming = Counter(contest for _, contest, unawaited, _ in self.building if not unawaited)
        self.players_of = self.active + coming
        self.newcomers_of = Counter(contest for _, contest, _ in self.placing) + coming
        self.match_seconds, self.seconds_of = match_seconds_mean()
        self.contests = Contest.objects.in_bulk(list(self.players_of))
        self.processes = processes_count()

    def workers_problem(self, version: BotVersion) -> str:
        """Say in whole sentences that no worker takes work of a version's contest now; empty if one does."""
        if processes_count(own=True) if version.bot.contest.keeps_to_own_hosts else self.processes:
            return ""
        return _("No worker takes work just now. The first games begin by themselves as soon as one does.")

    def opponents_problem(self, version: BotVersion) -> str:
        """Say in a sentence that a version has too few opponents for a match yet; empty if it has enough."""
        playing = BotVersion.objects.filter(state=State.ACTIVE, bot__contest=version.bot.contest_id)
        house = Q(bot__is_house=True)
        bot = version.bot
        team = Q(bot__team=bot.team_id) if bot.team_id else Q(bot__owner=bot.owner_id, bot__team__isnull=True)
        strangers = playing.filter(house | ~team)
        # A match has at most one bot of each participant, but any number of house bots.
        people = Count(participant_key("bot__"), filter=~house, distinct=True)
        counts = {"house": Count("pk", filter=house), "owners": people}
        others = sum(strangers.exclude(artifact_digest=version.artifact_digest).aggregate(**counts).values())
        players = min(tables_of(contest=version.bot.contest))
        if others >= players - 1:
            return ""
        if players == 2:
            return _("There is no other bot to play against yet; the first games begin as soon as there is one.")
        return _(
            "Matches of this contest have %(players)d bots, no two of one owner, and there are too few yet; the first"
            " games begin as soon as there are enough."
        ) % {"players": players}

    def is_outdated(self, version: BotVersion) -> bool:
        """Tell whether a version waits for its build although a newer version of its bot is built first."""
        return any(pk == version.pk and unawaited for pk, _, unawaited, _ in self.building)

    def newcomer(self, contest: str, games_left: int) -> Newcomer:
        """Return a newcomer to a contest; matches against other newcomers count for both, so it needs fewer."""
        others = max(self.players_of[contest] - 1, 1)
        sizes = tables_of(contest=self.contests[contest])
        players = round(sum(size * share for size, share in sizes.items()))
        shared = min((players - 1) * max(self.newcomers_of[contest] - 1, 0) / others, players - 1)
        return Newcomer(games_left, self.seconds_of.get(contest, self.match_seconds), 1 + shared, players)

    def load(self, version: BotVersion) -> QueueLoad:
        """Return the work that a version competes with."""
        contest = version.bot.contest_id
        newcomers = defaultdict[str, list[Newcomer]](list)
        for pk, of, games in self.placing:
            if pk != version.pk:
                newcomers[of].append(self.newcomer(of, FIRST_GAMES - (games or 0)))
        for pk, of, unawaited, _owner in self.building:
            if not unawaited and pk != version.pk:
                newcomers[of].append(self.newcomer(of, FIRST_GAMES))
        for of in self.house_coming:
            newcomers[of] += _HOUSE_NEWCOMERS * [self.newcomer(of, FIRST_GAMES)]
        people = self._builds_in_order()
        ahead = people.index(version.pk) + 1 if version.pk in people else 0
        waiting = Match.objects.filter(state=Match.State.QUEUED).exclude(kind=Match.Kind.EXHIBITION).order_by()
        jobs, elsewhere = Counter[str](), Counter[str]()
        for queue_class, of, count in waiting.values_list("queue_class", "contest").annotate(Count("pk")):
            if of == contest or queue_class not in (QueueClass.PLACEMENT, QueueClass.LADDER):
                jobs[queue_class] += count
            else:
                elsewhere[of] += count
        for of, others in newcomers.items():
            if of != contest:
                elsewhere[of] += sum(math.ceil(other.games_left / other.newcomers_a_match) for other in others)
        jobs[BUILD] = len(people) - ahead
        jobs[HOUSE_BUILD] = len(self.building) - len(people)
        shared = [(float(count), self.seconds_of.get(of, self.match_seconds)) for of, count in elsewhere.items()]
        return QueueLoad(
            processes=self.processes,
            others=newcomers[contest],
            elsewhere=shared,
            builds_ahead=ahead,
            waiting=jobs,
            build_seconds=build_seconds_mean(),
            match_seconds=self.match_seconds,
        )

    def _builds_in_order(self) -> list[int]:
        """Return the keys of people's versions in the order of builds: in rounds, each with one version of an owner."""
        rounds: defaultdict[int, int] = defaultdict(int)
        turns = []
        for pk, _contest, unawaited, owner in self.building:
            if not unawaited:
                turns.append((rounds[owner], pk))
                rounds[owner] += 1
        return [pk for _, pk in sorted(turns)]


def match_seconds_mean() -> tuple[float, dict[str, float]]:
    """Return the mean seconds of the newest matches, over all contests and by contest.

    Without any match the first is ``_MATCH_SECONDS``; a contest without any is left out.
    """
    ended = Attempt.objects.filter(ending=Attempt.Ending.RESULT, started_at__isnull=False).order_by("-pk")
    spans: defaultdict[str, list[float]] = defaultdict(list)
    took = F("ended_at") - F("started_at")
    for contest, span in ended.annotate(took=took).values_list("match__contest", "took")[:_MEASURED]:
        spans[contest].append(span.total_seconds())
    every = [seconds for games in spans.values() for seconds in games]
    return fmean(every or [_MATCH_SECONDS]), {contest: fmean(seconds) for contest, seconds in spans.items()}


def build_seconds_mean() -> float:
    """Return the mean seconds of the newest builds, from the message to a worker until the version was active.

    Without any build it is ``_BUILD_SECONDS``.
    """
    built = BotVersion.objects.filter(activated_at__isnull=False, notified_at__isnull=False).order_by("-pk")
    took = built.annotate(took=F("activated_at") - F("notified_at")).values_list("took", flat=True)[:_MEASURED]
    return fmean([span.total_seconds() for span in took] or [_BUILD_SECONDS])
