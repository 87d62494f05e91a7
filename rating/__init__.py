"""Ratings as a pure function of the set of results of matches.

The ratings depend neither on the order in which results come in nor on when they are computed, so they do not drift.
``rating.fit.fit`` is the function; ``python -m rating`` computes the same ratings from a downloaded match log.
"""
