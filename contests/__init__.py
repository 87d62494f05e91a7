"""Contests: their dates, rules and people. Apps above bring the bots, matches and boards of each contest."""
