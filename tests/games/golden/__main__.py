"""Record the matches that are missing, or that the rules play otherwise now."""

from tests.core.setups import registered
from tests.games.golden import record

for name in record(registered()):
    print(f"Recorded {name}")  # noqa: T201 - a command for developers
