"""``python -m core``: the referee's command line."""

from banzuke.referee import main

raise SystemExit(main())
