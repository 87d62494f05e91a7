"""Whose turn it is in the queue: a pure choice, without database or clock.

What waits for a worker stands in lines, one a class, the longest waiting first. Each line has a share. Work is handed
out by start-time fair queueing (Goyal, Vin and Cheng, 1996): the line that is furthest behind its share is next, so
every line that is not empty moves, and the shares of empty ones go to the others. People's uploads are built in rounds,
one of each owner in each: before a deadline all upload at once, and nobody's first waits for somebody else's tenth.

Only few jobs are out at once, running or as messages in the broker, because what is out can no longer be overtaken. A
*holder* (an owner with all bots, or with all uploads; a house bot) gets at most half of the processes while others
wait: neither slow bots nor a flood of uploads hold up everybody else.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

BUILD, HOUSE_BUILD = "build", "house_build"
SHARES = {BUILD: 32, "placement": 32, "ladder": 8, "replaced": 8, HOUSE_BUILD: 4, "requested": 2, "house": 1}
"""Jobs of each line while all lines are full. The first named is the first served among equals."""
OUT_PER_PROCESS = 2
"""What is out at most: what each process plays, and one spare for each, so that none waits for us."""
_SCALE = 32
"""Divisible by every share, so that all tags are whole numbers."""


@dataclass(frozen=True, slots=True)
class Job:
    """A match or a build that waits for a worker, or is out."""

    line: str
    """A key of ``SHARES``."""
    pk: int
    """Of the match or version: in one line, the smaller has waited longer."""
    holders: frozenset[str] = frozenset()
    """Who gets at most half of the processes while others wait."""
    is_again: bool = False
    """It was out before, and we have lost it: it does not wait for another round of builds."""

    @property
    def is_build(self) -> bool:
        """Tell a build from a match."""
        return self.line in (BUILD, HOUSE_BUILD)


def jobs_choose(
    *, waiting: Iterable[Job], out: Iterable[Job], ahead: Mapping[str, int], processes: int
) -> tuple[list[Job], dict[str, int]]:
    """Choose what to hand out now.

    Args:
        waiting: what has not been handed out.
        out: what has been and has not ended.
        ahead: how far each line is ahead of its share, and who has had a build in this round, as the choice before has
            returned it.
        processes: how many play now.

    Returns:
        The jobs to hand out, in this order; and ``ahead`` for the next choice.
    """
    now = _Round(processes, waiting, out, ahead)
    return list(now.jobs()), now.ahead()


class _Round:
    """What waits and what is out while jobs are handed out one by one."""

    def __init__(self, processes: int, waiting: Iterable[Job], out: Iterable[Job], ahead: Mapping[str, int]) -> None:
        self._processes = processes
        self._out, self._builds, self._held = 0, 0, Counter[str]()
        for job in out:
            self._count(job)
        self._lines: defaultdict[str, dict[Job, None]] = defaultdict(dict)
        for job in sorted(waiting, key=lambda job: job.pk):
            self._lines[job.line][job] = None
        self._now = 0
        """Virtual time: the tag of the job handed out last."""
        self._tags = {line: ahead.get(line, 0) for line in SHARES}
        self._built = {holder for holder in ahead if holder not in SHARES}
        """Who has had a build in this round."""

    def jobs(self) -> Iterator[Job]:
        """Hand out until enough is out."""
        while self._out < OUT_PER_PROCESS * self._processes:
            job = self._next(self._within_its_half)
            # Beyond its half a holder gets what nobody else wants, with one spare in all.
            if job is None and self._out <= self._processes:
                job = self._next(lambda _: True)
            if job is None:
                return
            self._count(job)
            del self._lines[job.line][job]
            self._now = max(self._now, self._tags[job.line])
            self._tags[job.line] = self._now + _SCALE // SHARES[job.line]
            if job.line == BUILD and not job.is_again:
                self._note_build(job.holders)
            yield job

    def _note_build(self, holders: frozenset[str]) -> None:
        """Note who has a build now; when nobody is left who has had none, another round begins."""
        if not self._built.isdisjoint(holders):
            self._built.clear()
        self._built |= holders

    def ahead(self) -> dict[str, int]:
        """Return how far lines are ahead of their shares, and who has had a build; of the others nothing.

        A round is forgotten when nobody waits for a build: whoever was away neither saves up nor owes.
        """
        lines = {line: tag - self._now for line, tag in self._tags.items() if tag > self._now}
        return lines | dict.fromkeys(sorted(self._built), 1) if self._lines[BUILD] else lines

    def _next(self, allowed: Callable[[Job], bool]) -> Job | None:
        """Return the first allowed job of the line that is furthest behind."""
        heads = (self._head(line, allowed) for line in SHARES)
        return min((head for head in heads if head), key=lambda job: max(self._tags[job.line], self._now), default=None)

    def _head(self, line: str, allowed: Callable[[Job], bool]) -> Job | None:
        able = (job for job in self._lines[line] if self._has_process(job) and allowed(job))
        first = next(able, None)
        if first is None or self._is_due(first):
            return first
        return next(filter(self._is_due, able), first)

    def _is_due(self, job: Job) -> bool:
        return job.is_again or self._built.isdisjoint(job.holders)

    def _has_process(self, job: Job) -> bool:
        """Builds take long: one that has no process to itself would only keep matches from being handed out."""
        return not job.is_build or self._builds < self._processes

    def _within_its_half(self, job: Job) -> bool:
        return all(self._held[holder] < max(1, self._processes // 2) for holder in job.holders)

    def _count(self, job: Job) -> None:
        self._out += 1
        self._builds += job.is_build
        self._held.update(job.holders)
