"""The choice of jobs: no class starves, no process idles, and no holder delays the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from jobs.fairness import SHARES, Job, jobs_choose
from matches.models import Match

CLASSES = list(SHARES)
BUILDS = {"build", "house_build"}
MATCHES = [name for name in CLASSES if name not in {*BUILDS, "try"}]

jobs = st.builds(
    Job,
    st.sampled_from(CLASSES),
    st.integers(1, 1_000_000),
    st.frozensets(st.sampled_from(["bot 1", "bot 2", "bot 3"]), max_size=2),
)
backlogs = st.lists(jobs, max_size=30, unique_by=lambda job: job.pk)


def choose(waiting: Sequence[Job], *, out: Sequence[Job] = (), processes: int = 2, ahead: dict[str, int] | None = None):
    return jobs_choose(waiting=waiting, in_flight=out, ahead=ahead or {}, processes=processes)


def served(waiting: list[Job], rounds: int, *, processes: int = 1) -> list[Job]:
    """Hand out jobs round after round; in each round the job that has been in flight for longest ends."""
    out: list[Job] = []
    order: list[Job] = []
    ahead: dict[str, int] = {}
    for _ in range(rounds):
        chosen, ahead = choose(waiting, out=out, processes=processes, ahead=ahead)
        taken = set(chosen)
        waiting = [job for job in waiting if job not in taken]
        out += chosen
        order += chosen
        out = out[1:]
    return order


def test_every_queue_class_of_matches_has_a_share() -> None:
    assert {*MATCHES, "table"} == set(Match.QueueClass.values), "exhibitions wait for tables, not for processes"


@given(backlogs, backlogs, st.integers(0, 5))
def test_never_more_jobs_are_in_flight_than_workers_can_take(
    waiting: list[Job], out: list[Job], processes: int
) -> None:
    out = [job for job in out if job.pk not in {job.pk for job in waiting}]
    chosen, _ = choose(waiting, out=out, processes=processes)
    builds = sum(job.is_build for job in [*out, *chosen])
    assert not chosen or len(out) + len(chosen) <= 2 * processes
    assert builds <= max(processes, sum(job.is_build for job in out))
    assert len(set(chosen)) == len(chosen)
    assert set(chosen) <= set(waiting)


@given(backlogs, backlogs, st.integers(1, 5))
def test_no_process_idles_while_it_could_work(waiting: list[Job], out: list[Job], processes: int) -> None:
    out = [job for job in out if job.pk not in {job.pk for job in waiting}]
    chosen, _ = choose(waiting, out=out, processes=processes)
    matches_left = [job for job in waiting if job not in chosen and not job.is_build]
    builds_left = [job for job in waiting if job not in chosen and job.is_build]
    builds_out = sum(job.is_build for job in [*out, *chosen])
    busy = len(out) + len(chosen)
    assert busy >= processes or not matches_left
    assert busy >= processes or not builds_left or builds_out >= processes


@given(backlogs, st.integers(1, 5))
def test_the_longest_waiting_job_of_a_class_is_first(waiting: list[Job], processes: int) -> None:
    free = [Job(job.queue_class, job.pk) for job in waiting]  # without holders no job is passed over
    chosen, _ = choose(free, processes=processes)
    for queue_class in CLASSES:
        order = [job.pk for job in chosen if job.queue_class == queue_class]
        left = [job.pk for job in free if job.queue_class == queue_class and job not in chosen]
        assert order == sorted(order)
        assert not order or not left or max(order) < min(left)


@settings(max_examples=40)
@given(st.sets(st.sampled_from(MATCHES), min_size=1), st.integers(1, 4))
def test_every_class_gets_its_share(classes: set[str], processes: int) -> None:
    each = 150
    waiting = [
        Job(queue_class, 1 + place * len(CLASSES) + CLASSES.index(queue_class))
        for queue_class in classes
        for place in range(each)
    ]
    order = [job.queue_class for job in served(waiting, each - 2 * processes, processes=processes)]
    total = sum(SHARES[queue_class] for queue_class in classes)
    counts = Counter(order)
    for queue_class in classes:
        assert abs(counts[queue_class] - len(order) * SHARES[queue_class] / total) <= len(classes)
        between = sum(SHARES[other] / SHARES[queue_class] + 1 for other in classes - {queue_class})
        places = [-1, *(i for i, other in enumerate(order) if other == queue_class), len(order)]
        assert max(b - a - 1 for a, b in pairwise(places)) <= between


def test_a_tournament_is_before_the_ladder_and_starves_nobody() -> None:
    """Worked numbers: of 136 jobs 64 are the tournament's, 32 builds, 32 first matches and 8 the ladder's."""
    classes = ["tournament", "build", "placement", "ladder"]
    waiting = [Job(name, 1 + place * 4 + order) for order, name in enumerate(classes) for place in range(200)]
    order = [job.queue_class for job in served(waiting, 136 - 1)]
    assert Counter(order) == {"tournament": 64, "build": 32, "placement": 32, "ladder": 8}
    assert order[0] == "tournament"
    longest_wait = {name: 136 // SHARES[name] + len(classes) for name in classes}
    for name in classes:
        places = [-1, *(place for place, other in enumerate(order) if other == name)]
        assert max(after - before for before, after in pairwise(places)) <= longest_wait[name]


def test_a_tournament_that_begins_waits_for_at_most_one_job_of_each_process() -> None:
    ladder = [Job("ladder", pk) for pk in range(1, 100)]
    out, ahead = choose(ladder, processes=4)
    matches = [Job("tournament", 1_000 + pk) for pk in range(100)]
    chosen, _ = choose([*ladder[8:], *matches], out=out[4:], processes=4, ahead=ahead)
    assert [job.queue_class for job in chosen] == ["tournament"] * 4


def test_a_class_without_jobs_neither_saves_up_nor_owes_turns() -> None:
    house = [Job("house", pk) for pk in range(1, 101)]
    _, ahead = choose(house, processes=40)
    visitor = [Job("placement", 1_000 + pk) for pk in range(10)]
    chosen, _ = choose([*house[80:], *visitor], processes=5, ahead=ahead)
    assert [job.queue_class for job in chosen] == ["placement"] * 10


def test_the_choice_does_not_depend_on_the_order_of_its_input() -> None:
    waiting = [Job(queue_class, pk) for pk, queue_class in enumerate(CLASSES * 5, 1)]
    assert choose(waiting) == choose(waiting[::-1])


def test_a_flood_of_house_builds_leaves_processes_to_a_visitor() -> None:
    flood = [Job("house_build", pk, frozenset({"builds of 1"})) for pk in range(1, 26)]
    out, ahead = choose(flood, processes=4)
    assert len(out) == 4, "alone it may use all of them"
    visitor = Job("placement", 99, frozenset({"bot 7", "bot 8"}))
    chosen, ahead = choose([*flood[4:], visitor], out=out, processes=4, ahead=ahead)
    assert chosen == [visitor], "and still there is a process for a new job"
    build = Job("build", 100, frozenset({"builds of 2"}))
    chosen, _ = choose([*flood[4:], build], out=out[1:], processes=4, ahead=ahead)
    assert chosen[0] == build


def build(pk: int, owner: int, *, is_retry: bool = False) -> Job:
    return Job("build", pk, frozenset({f"builds of {owner}"}), is_retry)


@given(st.lists(st.integers(1, 8), min_size=1, max_size=40), st.integers(1, 4))
def test_nobodys_first_build_waits_for_somebody_elses_second(owners: list[int], processes: int) -> None:
    """Otherwise, before a deadline, an owner who uploads a second later waits for ten bots of each other owner."""
    waiting = [build(pk, owner) for pk, owner in enumerate(owners, 1)]
    order = served(waiting, 2 * len(waiting), processes=processes)
    assert set(order) == set(waiting)
    firsts = order[: len(set(owners))]
    assert len({job.holders for job in firsts}) == len(firsts)


def test_an_owner_who_uploads_during_a_round_is_part_of_it() -> None:
    flood = [build(pk, owner=1) for pk in range(1, 11)]
    chosen, ahead = choose(flood, processes=1)
    left = [job for job in flood if job not in chosen]
    (late,), _ = choose([*left, build(99, owner=2)], processes=1, ahead=ahead)
    assert late.pk == 99


def test_a_build_that_the_platform_lost_waits_for_no_other_round() -> None:
    lost, others = build(1, owner=1, is_retry=True), [build(2, owner=2), build(3, owner=3)]
    (again,), _ = choose([lost, *others], processes=1, ahead={"builds of 1": 1})
    assert again == lost


def test_rounds_of_builds_are_forgotten_when_no_build_waits() -> None:
    _, ahead = choose([build(pk, owner=pk) for pk in (1, 2, 3)], processes=4)
    assert set(ahead) <= set(SHARES)


def test_a_slow_bot_gets_half_of_the_processes_while_others_wait() -> None:
    slow = [Job("placement", pk, frozenset({"slow", f"bot {pk}"})) for pk in range(1, 9)]
    others = [Job("ladder", 100 + pk, frozenset({f"other {pk}"})) for pk in range(8)]
    chosen, _ = choose([*slow, *others], processes=4)
    assert sum("slow" in job.holders for job in chosen) == 2
    assert len(chosen) == 8
    alone, _ = choose(slow, processes=4)
    assert len(alone) == 5, "all processes and one spare when nobody else waits"


def test_a_class_whose_holder_was_at_its_limit_is_next_when_it_can_be() -> None:
    slow = [Job("placement", pk, frozenset({"slow"})) for pk in (1, 2, 3)]
    others = [Job("house", 100 + pk) for pk in range(40)]
    chosen, ahead = choose([*slow[1:], *others], out=slow[:1], processes=2)
    assert {job.queue_class for job in chosen} == {"house"}
    chosen, _ = choose([*slow[1:], *others[3:]], out=chosen, processes=2, ahead=ahead)
    assert chosen == slow[1:2]


def test_programs_that_sleep_while_they_are_built_leave_half_of_the_processes_to_matches() -> None:
    tries = [Job("try", pk, frozenset({f"builds of {pk}"})) for pk in range(1, 5)]
    programs = [*tries, *(build(pk, owner=pk) for pk in range(5, 9))]
    matches = [Job("ladder", 100 + pk) for pk in range(20)]
    chosen, ahead = choose([*programs, *matches], processes=4)
    assert Counter(job.queue_class == "ladder" for job in chosen) == {True: 6, False: 2}
    asleep = [job for job in chosen if job.queue_class != "ladder"]
    left = [job for job in [*programs, *matches] if job not in chosen]
    chosen, _ = choose(left, out=asleep, processes=4, ahead=ahead)
    assert {job.queue_class for job in chosen} == {"ladder"}
    alone, _ = choose(programs, processes=4)
    assert len(alone) >= 4, "nobody else wants the processes"


def test_jobs_that_hosts_of_others_may_not_take_hold_up_no_others() -> None:
    private = [Job("tournament", pk, is_own=True) for pk in range(1, 30)]
    others = [Job("ladder", 100 + pk) for pk in range(30)]
    chosen, _ = jobs_choose(waiting=[*private, *others], in_flight=[], ahead={}, processes=8, processes_own=1)
    assert Counter(job.is_own for job in chosen) == {True: 2, False: 14}
    chosen, _ = jobs_choose(waiting=[*private, *others], in_flight=[], ahead={}, processes=8, processes_own=0)
    assert not any(job.is_own for job in chosen)
    gone, flood = [Job("tournament", pk, is_own=True) for pk in range(60, 76)], [build(1, owner=1), *others]
    chosen, _ = jobs_choose(waiting=flood, in_flight=gone, ahead={}, processes=2, processes_own=0)
    assert len(chosen) == 4, "messages that wait for own hosts which are gone take no process of others"
    chosen, _ = choose([*private, *others], processes=8)
    assert sum(job.is_own for job in chosen) > 12, "without a host of others they have all processes"


def test_a_try_counts_among_the_builds_of_its_owner() -> None:
    mine = [build(1, owner=1), build(2, owner=1), Job("try", 3, frozenset({"builds of 1"}))]
    match = Job("house", 9)
    chosen, _ = choose([mine[2], match], out=mine[:1], processes=4)
    assert chosen[0] == mine[2], "it has one of two"
    chosen, _ = choose([mine[2], match], out=mine[:2], processes=4)
    assert chosen[0] == match
