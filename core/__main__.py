"""``python -m core``: the referee's name in the design; its commands are those of ``banzuke``, and ``bench``.

``bench`` measures the rules by programs below ``tests``, so it works in a source tree alone.
"""

from __future__ import annotations

import sys

from banzuke.commands import main

if sys.argv[1:2] == ["bench"] and __package__ == "core":  # not in the wheel, which has no tests
    from tests.bench.rules.__main__ import main as bench

    bench(sys.argv[2:])
else:
    sys.exit(main())
