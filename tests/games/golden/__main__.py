"""Records the matches that are missing or no longer verify."""

from tests.core.setups import registered
from tests.games.golden import record

for name in record(registered()):
    print(f"Recorded {name}")  # noqa: T201 - a command for developers
