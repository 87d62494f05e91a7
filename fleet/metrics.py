"""The metrics of the arena in Prometheus' text format, made from the database at every scrape.

The cost of a scrape does not grow with the number of matches played: counters are stored (``fleet.services.tallies``),
all else is what waits and runs now. ``docs/run/monitoring.md`` explains each metric.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product

from django.conf import settings
from django.db.models import Count
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

from fleet.health import PARTS, health_problems, managing_shown
from fleet.models import Tally, TallyMark
from fleet.selectors.queue import (
    jobs_running,
    matches_in_flight,
    process_totals,
    processes_wanted,
    queue_rows,
    tables_total,
)
from fleet.services import tallies
from jobs.files.storage import stores_free_bytes, stores_free_files
from jobs.models import Worker
from ladder.models import BotVersion
from matches.models import Attempt, Match
from matches.verdicts import VERDICTS

_COUNTERS = (
    (tallies.MATCHES, "Matches by how they ended.", "ending", [Match.State.FINISHED.value, Match.State.VOID.value]),
    (tallies.ATTEMPTS, "Times that a match was handed to a worker, by how they ended; lost: a lease ran out.",
     "ending", Attempt.Ending.values),
    (tallies.FAULTS, "Bots put last in finished matches, by what they did wrong.", "verdict", list(VERDICTS)),
)  # fmt: skip
"""For each counter its name, help text, the label besides ``game``, and that label's values."""

Values = Mapping[tuple[str, ...], float]
"""Values of a metric, by the values of its labels."""


def metrics_text() -> bytes:
    """Return all metrics (14 queries)."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(_MetricsCollector())
    return generate_latest(registry)


class _MetricsCollector(Collector):
    """All metrics of the arena, for the Prometheus client."""

    def collect(self) -> Iterator[Metric]:
        """Yield every metric; the Prometheus client calls it at each scrape."""
        yield from _counted()
        yield from _queue_and_workers()
        yield _single("storage_free_bytes", "Free on the disk of bots and replays.", stores_free_bytes())
        yield _single("storage_free_files", "How many more files that disk can hold.", stores_free_files())
        failing = {problem.part for problem in health_problems()}
        fails: Values = {(part,): float(part in failing) for part in PARTS}
        yield _gauge("part_fails", "1 where /healthz says what is wrong.", ("part",), fails)
        counts = dict(BotVersion.objects.order_by().values_list("state").annotate(Count("pk")))
        versions: Values = {(state,): float(counts.get(state, 0)) for state in BotVersion.State.values}
        yield _gauge("versions", "Versions of bots by state.", ("state",), versions)


def _gauge(name: str, words: str, labels: Sequence[str], values: Values) -> Metric:
    family = GaugeMetricFamily(f"banzuke_{name}", words, labels=labels)
    for label_values, value in values.items():
        family.add_metric(label_values, value)
    return family


def _single(name: str, words: str, value: float) -> Metric:
    return _gauge(name, words, (), {(): value})


# --- Counters -------------------------------------------------------------------------------------------------------


def _counted() -> Iterator[Metric]:
    by_name: defaultdict[str, dict[tuple[str, ...], float]] = defaultdict(dict)
    for tally in Tally.objects.order_by("name", "labels"):
        by_name[tally.name][tuple(tally.labels.split(","))] = tally.value
    for name, words, label, known in _COUNTERS:
        # Every combination of labels is exposed from the start, as 0: Prometheus' ``increase`` misses the first event
        # of a counter that only appears with it.
        # See https://prometheus.io/docs/practices/instrumentation/#avoid-missing-metrics.
        for labels in product(settings.GAMES, known):
            by_name[name].setdefault(labels, 0.0)
        family = CounterMetricFamily(f"banzuke_{name}", words, labels=("game", label))
        for label_values, value in by_name[name].items():
            family.add_metric(label_values, value)
        yield family
    yield _phases(by_name[tallies.PHASES], by_name[tallies.PHASE_SUMS])
    mark = TallyMark.objects.first()
    age_seconds = (timezone.now() - mark.counted_until).total_seconds() if mark else float("nan")
    yield _single("counters_age_seconds", "Since when the counters stand still.", age_seconds)


def _phases(counts: Values, sums: Values) -> Metric:
    family = HistogramMetricFamily(
        "banzuke_phase_seconds", "How long played attempts waited and were played.", labels=("game", "phase")
    )
    for (game, phase), total in sums.items():
        below, buckets = 0.0, []
        for bucket in tallies.PHASE_BUCKETS:
            below += counts.get((game, phase, f"{bucket:g}"), 0.0)
            buckets.append(("+Inf" if bucket == float("inf") else f"{bucket:g}", below))
        family.add_metric((game, phase), buckets, sum_value=total)
    return family


# --- Queue and workers now ------------------------------------------------------------------------------------------


def _queue_and_workers() -> Iterator[Metric]:
    rows = queue_rows()
    workers = list(Worker.objects.all())
    totals = process_totals(workers=workers)
    labels = ("game", "class")
    lengths: Values = {(row.game, row.queue_class): row.length for row in rows}
    ages: Values = {(row.game, row.queue_class): row.oldest_seconds for row in rows}
    states = Counter(worker.state for worker in workers)
    managing = managing_shown()
    wanted = processes_wanted(rows=rows, totals=totals, running=jobs_running(), is_managed=not managing.is_behind)
    yield _gauge("queue_length", "Matches and builds that wait.", labels, lengths)
    yield _gauge("queue_oldest_seconds", "How long the one that came first has waited.", labels, ages)
    in_flight = matches_in_flight()
    yield _single("matches_running", "Matches being played.", in_flight.running)
    yield _gauge(
        "workers", "Playing workers by state.", ("state",), {(state,): states[state] for state in Worker.State.values}
    )
    yield _single("processes", "Playing processes of active workers.", totals.processes)
    yield _single("processes_busy", "Of these, those that play or build.", totals.busy)
    yield _single("tables", "Tables that active workers hold.", tables_total(workers=workers))
    yield _single("tables_taken", "Of these, those that are open.", in_flight.taken)
    yield _single("tables_waiting", "Exhibitions that wait for a table.", in_flight.waiting)
    yield _single("processes_wanted", "How many there should be, by the age of the queue.", wanted)
    yield _single("managers", "Managers at work.", managing.managers)
    yield _single("managers_wanted", "How many there should be, by the age of the reports.", managing.wanted)
    yield _single("reports_waiting", "Reports of workers that wait for a manager.", managing.reports)
    yield _single("reports_waiting_seconds", "For how long there have been too many of them.", managing.seconds)
    yield _single("cores", "Cores of active workers' hosts.", totals.cores)
    yield _single("cores_busy", "Of these, how many are at work.", totals.cores_busy)
    now = timezone.now()
    yield _by_worker(
        "worker_seen_seconds",
        "Since a worker was last heard of.",
        workers,
        lambda w: (now - w.last_seen_at).total_seconds(),
    )
    yield _by_worker(
        "worker_self_test_failed", "1 where it does not play.", workers, lambda w: float(bool(w.self_test))
    )
    yield _by_worker("worker_canary_ms", "CPU time of a fixed piece of work.", workers, lambda w: w.canary_ms)


def _by_worker(name: str, words: str, workers: Sequence[Worker], value: Callable[[Worker], float | None]) -> Metric:
    """Return a gauge with ``value`` of each worker that is not gone; workers for which it is None are left out."""
    known = {(worker.name,): value(worker) for worker in workers if worker.state != Worker.State.GONE}
    return _gauge(name, words, ("worker",), {labels: found for labels, found in known.items() if found is not None})
