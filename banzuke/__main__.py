"""``python -m banzuke``."""

import sys

from banzuke.commands import main

sys.exit(main())
