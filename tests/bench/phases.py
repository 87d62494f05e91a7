"""``python -m tests.bench.phases``: how long the last matches of an arena waited for a worker, and were played."""

from __future__ import annotations

import sys

import django
import numpy as np

LAST = 200


def main() -> None:
    """Print the median and the 95th percentile of each phase, in milliseconds."""
    django.setup()
    from matches.models import Attempt

    ended = Attempt.objects.filter(ending=Attempt.Ending.RESULT).order_by("-ended_at")
    rows = list(ended.values_list("match__rung_at", "started_at", "ended_at")[:LAST])
    for name, begin, end in (("handed out to begun", 0, 1), ("begun to result", 1, 2)):
        if rows:
            median, slow = np.percentile([((row[end] - row[begin]).total_seconds() * 1e3) for row in rows], [50, 95])
            sys.stdout.write(f"{name}: {median:.0f} ms, 95 % within {slow:.0f} ms\n")


if __name__ == "__main__":
    main()
