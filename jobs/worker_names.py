"""Full names of workers: a worker of an invited host is ``north/play@raspberrypi``, any other ``play@raspberrypi``."""

from __future__ import annotations


def worker_node(worker: str) -> str:
    """Return the name of a worker on its own host (Celery's node name), given its full name."""
    return worker.rpartition("/")[2]


def worker_host(worker: str) -> str:
    """Return the invited host of a worker, given the worker's full name; empty if it belongs to none."""
    return worker.partition("/")[0] if "/" in worker else ""
