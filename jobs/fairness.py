"""Which waiting jobs are handed out next: a pure function, without database or clock.

Each job belongs to a queue class, and each class has a share. Within a class the job that has waited longest is first.
Between classes the choice is start-time fair queueing (Goyal, Vin and Cheng, 1996): the class that is furthest behind
its share is next, so every class with jobs moves on, and the shares of empty classes go to the others.

Contests share what matches get, in equal parts, by that paper's hierarchical sharing: first the class is chosen, where
``placement`` and ``ladder`` are one; then, by the same rule, the contest; then, within it, one of these two by their
shares. So a contest whose bots wait gets no less because another one has newcomers, however many, and what it
does not use goes to the others.

Users' uploads are built in rounds, with one build of each owner in each round: before a deadline everybody uploads at
once, and no owner's first build waits for another owner's tenth.

A job that is handed out (it runs, or its message waits in the broker) can no longer be overtaken. So only few are
handed out at once. A *holder* of jobs (an owner with all bots, an owner with all uploads, or a house bot) gets at most
half of the processes while others wait: neither slow bots nor a flood of uploads hold up everybody else. So do all
builds and tries together: programs that many accounts make for this purpose hold up no matches.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

BUILD, HOUSE_BUILD, TRY = "build", "house_build", "try"
SHARES = {
    "tournament": 64,
    BUILD: 32,
    TRY: 32,
    "placement": 32,
    "ladder": 8,
    "replaced": 8,
    HOUSE_BUILD: 4,
    "requested": 2,
    "house": 1,
}
"""How many jobs of each class are handed out while all classes have jobs. Of classes that are equally far behind, the
one that is named first here is served first."""
IN_FLIGHT_PER_PROCESS = 2
"""Most jobs that are handed out for each process: the one it plays, and a spare one, so that it never waits."""
_PROGRAMS = "programs"
_RATED = {"placement": "rated", "ladder": "rated"}
"""Classes that count as one when a class is chosen, with its name. Its share is the sum of the shares of those which
have jobs."""
_SCALE = 320
"""Divisible by every share and by 40, that of rated matches, so that all tags are whole numbers."""
_ORDER = list(SHARES)
_CLASSES = list(dict.fromkeys(_RATED.get(queue_class, queue_class) for queue_class in SHARES))


@dataclass(frozen=True, slots=True)
class Job:
    """A match, a build or a try that waits for a worker or has been handed out."""

    queue_class: str
    """A key of ``SHARES``."""
    pk: int
    """Primary key of the match, version or try; within a class the smaller one has waited longer."""
    holders: frozenset[str] = frozenset()
    """Names of the holders, each of which gets at most half of the processes while others wait."""
    is_retry: bool = False
    """The job was handed out before and lost by the platform: it does not wait for another round of builds."""
    contest: str = ""
    """Key of the contest of a match; empty for other jobs."""
    is_own: bool = False
    """Whether only the site's own hosts may take it (``wire.own_queues.OWN_QUEUES``)."""

    @property
    def is_build(self) -> bool:
        """Whether the job is a build, not a match."""
        return self.queue_class in (BUILD, HOUSE_BUILD)

    @property
    def is_program(self) -> bool:
        """Whether the job builds a program: all such jobs together are a holder as well."""
        return self.is_build or self.queue_class == TRY

    @property
    def flows(self) -> tuple[str, ...]:
        """The flows that the job is part of, each within the one before: class, contest, class within the contest."""
        name = _RATED.get(self.queue_class, self.queue_class)
        if name == self.queue_class and not self.contest:
            return (name,)
        return name, f"{name}/{self.contest}", f"{name}/{self.contest}/{self.queue_class}"


def jobs_choose(
    *,
    waiting: Iterable[Job],
    in_flight: Iterable[Job],
    ahead: Mapping[str, int],
    processes: int,
    processes_own: int | None = None,
) -> tuple[list[Job], dict[str, int]]:
    """Choose which waiting jobs to hand out now.

    Args:
        waiting: the jobs that have not been handed out.
        in_flight: the jobs that have been handed out and have not ended.
        ahead: how far each flow (``Job.flows``) is ahead of its share, and which holders have had a build in this
            round; the second value that the previous call returned.
        processes: how many processes play now.
        processes_own: how many of them are on the site's own hosts; None: all.

    Returns:
        The jobs to hand out, in this order; and ``ahead`` for the next call.
    """
    choice = _Choice(processes, processes if processes_own is None else processes_own, waiting, in_flight, ahead)
    return list(choice.jobs()), choice.ahead()


class _Choice:
    """The waiting jobs, and counts of those in flight, while jobs are handed out one by one."""

    def __init__(
        self,
        processes: int,
        processes_own: int,
        waiting: Iterable[Job],
        in_flight: Iterable[Job],
        ahead: Mapping[str, int],
    ) -> None:
        self._processes, self._own_max = processes, IN_FLIGHT_PER_PROCESS * processes_own
        self._in_flight, self._builds, self._own, self._held = 0, 0, 0, Counter[str]()
        for job in in_flight:
            # Messages for the site's own hosts that are gone wait apart, and take no process of the hosts that play.
            if not job.is_own or self._own < self._own_max:
                self._count(job)
        self._waiting: defaultdict[tuple[str, ...], dict[Job, None]] = defaultdict(dict)
        """The jobs of each innermost flow, the longest waiting first."""
        for job in sorted(waiting, key=lambda job: job.pk):
            self._waiting[job.flows][job] = None
        self._now = Counter[str]()
        """Virtual time within each flow, and of all jobs (the empty name): the tag of the flow served last in it."""
        self._tags = {name: tag for name, tag in ahead.items() if name.partition("/")[0] in _CLASSES}
        self._built = {holder for holder in ahead if holder not in self._tags}
        """The holders that have had a build in this round."""

    def jobs(self) -> Iterator[Job]:
        """Yield jobs to hand out until enough are in flight."""
        while self._in_flight < IN_FLIGHT_PER_PROCESS * self._processes:
            job = self._next(self._is_below_half)
            # A holder may exceed its half with processes that nobody else wants, and with one spare job in all.
            if job is None and self._in_flight <= self._processes:
                job = self._next(self._owners_are_below_half) or self._next(lambda _: True)
            if job is None:
                return
            self._count(job)
            self._serve(job)
            if job.queue_class == BUILD and not job.is_retry:
                if not self._built.isdisjoint(job.holders):  # every holder that waits has had a build: a new round
                    self._built.clear()
                self._built |= job.holders
            yield job

    def ahead(self) -> dict[str, int]:
        """Return how far flows are ahead of their shares, and which holders have had a build in this round.

        Flows that are not ahead are left out. The round is forgotten when no build waits: an owner who uploads
        nothing for a while neither saves up turns nor owes any.
        """
        tags = {flow: tag - self._now[_parent(flow)] for flow, tag in self._tags.items()}
        flows = {flow: tag for flow, tag in tags.items() if tag > 0}
        return flows | dict.fromkeys(sorted(self._built), 1) if self._waiting.get((BUILD,)) else flows

    def _serve(self, job: Job) -> None:
        """Take a job out of the waiting ones, and move the tags of its flows on."""
        for flow, share in zip(job.flows, self._shares(job), strict=True):
            parent = _parent(flow)
            self._now[parent] = max(self._now[parent], self._tags.get(flow, 0))
            self._tags[flow] = self._now[parent] + _SCALE // share
        del self._waiting[job.flows][job]

    def _shares(self, job: Job) -> list[int]:
        """Return the share of each flow of a job in the flow around it."""
        name, *inner = job.flows
        if not inner:
            return [SHARES[job.queue_class]]
        firsts = (next(iter(jobs)) for flows, jobs in self._waiting.items() if jobs and flows[0] == name)
        of_class = sum(SHARES[queue_class] for queue_class in {first.queue_class for first in firsts})
        return [of_class, 1, SHARES[job.queue_class]]

    def _next(self, allowed: Callable[[Job], bool]) -> Job | None:
        """Return the first allowed job of the flow that is furthest behind its share."""
        firsts = (self._first(jobs, allowed) for jobs in self._waiting.values())
        return min((job for job in firsts if job), key=self._turn, default=None)

    def _turn(self, job: Job) -> list[int]:
        """Return a key by which the job of the flows that are furthest behind their shares is first."""
        tags = [max(self._tags.get(flow, 0), self._now[_parent(flow)]) for flow in job.flows]
        return [tags[0], _CLASSES.index(job.flows[0]), *tags[1:], _ORDER.index(job.queue_class)]

    def _first(self, jobs: Iterable[Job], allowed: Callable[[Job], bool]) -> Job | None:
        """Return the first allowed job of a flow; of builds the first whose owner has had none in this round."""
        able = (job for job in jobs if self._has_process(job) and allowed(job))
        first = next(able, None)
        if first is None or self._is_due(first):
            return first
        return next(filter(self._is_due, able), first)

    def _is_due(self, job: Job) -> bool:
        return job.queue_class != BUILD or job.is_retry or self._built.isdisjoint(job.holders)

    def _has_process(self, job: Job) -> bool:
        """Return False for a build while as many builds are in flight as there are processes, else True.

        Matches get a spare job for each process, but a build takes long: a spare one would only wait behind another.
        Jobs for the site's own hosts have the processes of these alone: others would wait behind them in vain.
        """
        if job.is_own and self._own >= self._own_max:
            return False
        return not job.is_build or self._builds < self._processes

    def _is_below_half(self, job: Job) -> bool:
        """Return whether each holder of a job has less than half of the processes.

        If the job builds a program, all such jobs together must have less than half as well.
        """
        return self._owners_are_below_half(job) and (not job.is_program or self._has_less_than_half(_PROGRAMS))

    def _owners_are_below_half(self, job: Job) -> bool:
        return all(map(self._has_less_than_half, job.holders))

    def _has_less_than_half(self, holder: str) -> bool:
        return self._held[holder] < max(1, self._processes // 2)

    def _count(self, job: Job) -> None:
        self._in_flight += 1
        self._builds += job.is_build
        self._own += job.is_own
        self._held.update(job.holders)
        self._held[_PROGRAMS] += job.is_program


def _parent(flow: str) -> str:
    """Return the flow around a flow; the empty name is all jobs."""
    return flow.rpartition("/")[0]
