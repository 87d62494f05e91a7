"""Matches, attempts, matchmaking, replays and the viewer."""
