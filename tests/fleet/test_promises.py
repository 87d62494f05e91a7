"""Requests and reports in any order: no match is lost, none counts twice, and ratings follow the log.

The services are compared with a model that knows nothing of states, leases and attempts: the first report that comes in
time from a worker that is trusted is the result of its match, until somebody takes it out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from datetime import timedelta
from itertools import permutations
from typing import TypeVar

import pytest
from django.db import transaction
from django.utils import timezone
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule, run_state_machine_as_test

from accounts.models import Notification
from common.errors import IllegalTransition, InputError
from common.queries.cached import cached_clear
from core.message import said
from fleet.services.quarantine import worker_quarantine, worker_release
from games.registry import game_named
from jobs.leases import ATTEMPTS_MAX, leases_expired
from jobs.models import Worker
from ladder.models import BotVersion, Rating
from matches.models import Attempt, HeadToHead, Match, Result, Seat, Trial
from matches.news import TRIAL_ENDED
from matches.selectors.rated_results import results_forget
from matches.services.lifecycle import match_void
from matches.services.match_jobs import MATCHES
from matches.services.quarantine import match_void_and_requeue
from matches.services.ratings import match_log, ratings_differences, ratings_refit
from matches.services.reruns import match_rerun
from matches.services.tallies import tallies_update
from matches.services.trials import trial_start, trial_stop, trials_step
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches.makers import queue_match, with_replay
from wire.jobs import FaultReport, Heartbeat, MatchReport, SeatReport

pytestmark = pytest.mark.test_all

GAME = "kakomimasu"
WORKERS = ("play@one", "play@two")
IN_FLIGHT = (Match.State.QUEUED, Match.State.RUNNING)
FAULT = FaultReport("crashed", said("It ended with exit code 1."), 3)
ONE_OF_MANY = st.integers(0, 40)
WORKER = st.sampled_from(WORKERS)
T = TypeVar("T")


@contextmanager
def refused(is_refused: bool) -> Iterator[None]:
    """Allow the block to be refused with a sentence for the user."""
    with pytest.raises(InputError) if is_refused else nullcontext():
        yield


def one_of(rows: Iterable[T], number: int) -> T:
    ones = list(rows)
    return ones[number % len(ones)]


class Arena(RuleBasedStateMachine):
    """Four bots of two owners, two workers, and everybody who may ask for something."""

    def __init__(self) -> None:
        super().__init__()
        self.undone = transaction.atomic()
        self.undone.__enter__()
        cached_clear()
        results_forget()
        for worker in WORKERS:
            make_worker(worker)
        owners = [make_user("alice"), make_user("bob")]
        bots = [make_bot(f"bot {number}", owners[number % 2]) for number in range(4)]
        states = [BotVersion.State.RETIRED, *[BotVersion.State.ACTIVE] * len(bots)]
        self.versions = [
            make_version(bot, state=state, artifact_digest=f"{number:064x}", activated_at=timezone.now())
            for number, (bot, state) in enumerate(zip([bots[0], *bots], states, strict=True))
        ]
        self.bot_of = {version.pk: version.bot_id for version in self.versions}
        self.jobs: list[tuple[int, str]] = []
        """Match and lease token of the messages that workers have."""
        self.results: dict[int, tuple[str, dict[int, int]]] = {}
        """Worker, and rank of each version, of the results that were reported in time."""
        self.void: set[int] = set()
        """The results of matches that were voided."""

    # --- What is asked for ------------------------------------------------------------------------------------------

    @rule(seats=st.permutations(range(1, 5)))
    def pair(self, seats: list[int]) -> None:
        versions = [self.versions[seat].pk for seat in seats[:2]]
        rules = game_named(GAME).rules_version
        queue_match(*versions, game=GAME, rules_version=rules, options={"board": "A-1"})

    @rule()
    def begin_test(self) -> None:
        with refused(Trial.objects.filter(state=Trial.State.RUNNING).exists()):
            old, new = self.versions[:2]
            trial_start(owner=new.bot.owner, candidate=new, reference=old, games_max=6)

    @rule()
    def step_tests(self) -> None:
        trials_step()

    @rule()
    def stop_test(self) -> None:
        for trial in Trial.objects.filter(state=Trial.State.RUNNING):
            trial_stop(trial=trial)

    @precondition(lambda self: self.results)
    @rule(number=ONE_OF_MANY)
    def play_again(self, number: int) -> None:
        match = Match.objects.get(pk=one_of(self.results, number))
        with refused(match.kind == Match.Kind.TRIAL or (match.original_id or match.pk) in self.void):
            match_rerun(match=match)

    # --- What workers say -------------------------------------------------------------------------------------------

    @precondition(lambda self: Match.objects.filter(state__in=IN_FLIGHT).exists())
    @rule(number=ONE_OF_MANY)
    def hand_out(self, number: int) -> None:
        waiting = Match.objects.filter(state__in=IN_FLIGHT).order_by("pk")
        self.jobs.append(one_of(waiting.values_list("pk", "lease_token"), number))

    @precondition(lambda self: self.jobs)
    @rule(number=ONE_OF_MANY, worker=WORKER)
    def give_sign_of_life(self, number: int, worker: str) -> None:
        match, token = one_of(self.jobs, number)
        MATCHES.heartbeat(report=Heartbeat(match, token, worker))

    @precondition(lambda self: self.jobs)
    @rule(number=ONE_OF_MANY, worker=WORKER, ranks=st.sampled_from([(1, 2), (2, 1), (1, 1), ()]), fails=st.booleans())
    def report(self, number: int, worker: str, ranks: tuple[int, ...], fails: bool) -> None:
        """Report a result; without ranks it is a platform fault."""
        match, token = one_of(self.jobs, number)
        is_trusted = Worker.objects.filter(name=worker, state=Worker.State.ACTIVE).exists()
        if ranks and is_trusted and Match.objects.filter(pk=match, lease_token=token).exists():
            assert match not in self.results
            seats = Seat.objects.filter(match=match).order_by("index").values_list("version", flat=True)
            self.results[match] = worker, dict(zip(seats, ranks, strict=True))
        faults = [FAULT if fails and rank == max(ranks) else None for rank in ranks]
        reports = [SeatReport(rank, 1.0, 1.0, 1.0, fault) for rank, fault in zip(ranks, faults, strict=True)]
        ours = None if ranks else said("The disk is full.")
        report = MatchReport(match, 1, token, worker, 3 if ranks else 0, reports, None, platform_fault=ours)
        MATCHES.record(report=with_replay(Match.objects.get(pk=match), report))

    @rule()
    def fall_silent(self) -> None:
        running = Match.objects.filter(state=Match.State.RUNNING)
        running.update(lease_ends_at=timezone.now() - timedelta(seconds=1))
        for match in leases_expired(running):
            MATCHES.lost(match)

    # --- What administrators do -------------------------------------------------------------------------------------

    @precondition(lambda self: Match.objects.exists())
    @rule(number=ONE_OF_MANY, again=st.booleans())
    def take_out(self, number: int, again: bool) -> None:
        match = one_of(Match.objects.order_by("pk"), number)
        try:
            if again:
                match_void_and_requeue(pk=match.pk, reason=said("The board was wrong."))
            else:
                match_void(match=match, reason=said("The board was wrong."))
        except IllegalTransition:
            assert match.state == Match.State.VOID
        self.void |= {match.pk} & self.results.keys()

    @rule(name=WORKER)
    def distrust(self, name: str) -> None:
        worker_quarantine(name=name, actor=None, reason="It lies.")
        self.void |= {match for match, (worker, _) in self.results.items() if worker == name}
        assert not Attempt.objects.filter(worker=name, ending="").exists()

    @rule(name=WORKER)
    def trust(self, name: str) -> None:
        with refused(Worker.objects.filter(name=name, state=Worker.State.ACTIVE).exists()):
            worker_release(name=name, actor=None)

    # --- What was promised ------------------------------------------------------------------------------------------

    @invariant()
    def every_match_has_its_one_result(self) -> None:
        finished = set(Match.objects.filter(state=Match.State.FINISHED).values_list("pk", flat=True))
        assert finished == self.results.keys() - self.void
        assert set(Result.objects.values_list("match", flat=True)) == self.results.keys()
        ranks: defaultdict[int, dict[int, int]] = defaultdict(dict)
        for match, version, rank in Seat.objects.filter(rank__isnull=False).values_list("match", "version", "rank"):
            ranks[match][version] = rank
        assert ranks == {match: seats for match, (_, seats) in self.results.items()}
        assert not Match.objects.filter(state=Match.State.VOID, void_reason={}).exists()

    @invariant()
    def attempts_agree_with_their_matches(self) -> None:
        under_way = Attempt.objects.filter(ending="").values_list("match", "lease_token")
        assert sorted(under_way) == sorted(Match.objects.filter(state__in=IN_FLIGHT).values_list("pk", "lease_token"))
        with_result = Attempt.objects.filter(ending=Attempt.Ending.RESULT).values_list("match", flat=True)
        assert sorted(with_result) == sorted(self.results)
        used = Counter(Attempt.objects.exclude(ending=Attempt.Ending.WITHDRAWN).values_list("match", flat=True))
        assert max(used.values(), default=0) <= ATTEMPTS_MAX

    @rule()
    def fit(self) -> None:
        ratings_refit(contest=GAME)
        tallies_update(contest=GAME)
        ladder = set(Match.objects.filter(kind=Match.Kind.LADDER).values_list("pk", flat=True))
        rated = {match: ranks for match, (_, ranks) in self.results.items() if match in ladder - self.void}
        logged = match_log(contest=GAME).matches
        assert {pk: dict(zip(row.players, row.ranks, strict=True)) for pk, row in logged.items()} == rated
        played = Counter(version for ranks in rated.values() for version in ranks)
        assert dict(Rating.objects.filter(games__gt=0).values_list("version", "games")) == played
        assert ratings_differences(contest=GAME) == []
        wins = Counter(
            (self.bot_of[one], self.bot_of[other])
            for ranks in rated.values()
            for one, other in permutations(ranks, 2)
            if ranks[one] < ranks[other]
        )
        tallies = HeadToHead.objects.filter(wins__gt=0).values_list("bot", "opponent", "wins")
        assert {(bot, opponent): number for bot, opponent, number in tallies} == wins

    def teardown(self) -> None:
        """Let a trusted worker play all matches that are left, so that each comes to its end."""
        try:
            Worker.objects.update(state=Worker.State.ACTIVE)
            for _ in range(20):
                trials_step()
                self.jobs = list(Match.objects.filter(state__in=IN_FLIGHT).values_list("pk", "lease_token"))
                for number in range(len(self.jobs)):
                    self.report(number=number, worker=WORKERS[0], ranks=(1, 2), fails=False)
            self.every_match_has_its_one_result()
            self.attempts_agree_with_their_matches()
            self.fit()
            assert not Match.objects.filter(state__in=IN_FLIGHT).exists()
            told = Notification.objects.filter(kind=TRIAL_ENDED.name).count()
            ended = Trial.objects.exclude(state=Trial.State.RUNNING)  # nobody is told of what he has stopped
            assert told == sum(trial.reason.get("kind") != "trial-stopped" for trial in ended)
            assert not Trial.objects.filter(state=Trial.State.RUNNING).exists()
        finally:
            transaction.set_rollback(True)
            self.undone.__exit__(None, None, None)


@pytest.mark.database
@pytest.mark.slow_on_sqlite
@pytest.mark.django_db
def test_promises() -> None:
    run_state_machine_as_test(Arena, settings=settings(max_examples=8, stateful_step_count=40))
