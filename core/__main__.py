"""``python -m core``."""

import sys

from banzuke.referee import main

sys.exit(main())
