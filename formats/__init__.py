"""Formats of tournaments: who meets whom in the next round, and the standings. Pure functions, without I/O.

The arena's tournaments and ``banzuke tournament`` use the same functions. ``model`` has the types, ``rounds`` makes the
next round, ``pairings`` decides a pairing from its matches, ``standings`` ranks entrants, ``trf`` writes files.
"""
