"""Tests a game's package. ``banzuke game check`` prints what is found here, and any test can ask for the same.

``from banzuke.testing import check_game``, then ``check_game("tron")`` in a test. Neither pytest nor another library
for tests is needed. A small game takes a few seconds.
"""

from __future__ import annotations

from banzuke.testing.findings import Finding, check_game, findings, notes
from banzuke.testing.setups import Setup, setups_of

__all__ = ["Finding", "Setup", "check_game", "findings", "notes", "setups_of"]
