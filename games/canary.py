"""The match whose CPU time tells how fast a host is (``workers.canary``)."""

GAME, OPTIONS = "kakomimasu", {"board": "A-1", "turns": 20}
"""The same work on every host, whatever games are installed there; else nobody could compare hosts by its time."""
