"""The match whose CPU time tells how fast a host is (``workers.canary``)."""

GAME, OPTIONS = "kakomimasu", {"board": "A-1", "turns": 20}
"""The game and the options of that match: the same work on every host, whatever games are installed there, so that
hosts can be compared by its time."""
