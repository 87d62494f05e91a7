"""Seeds of encounters: the same tournament gives the same matches, at home and on the site."""

from __future__ import annotations

import hashlib

SEED_BITS = 53
"""Seeds are whole numbers below 2 ** 53, which JSON readers of all languages keep exactly."""


def encounter_seed(*, lots: int, stage: int, round_: int, pairing: int, encounter: int) -> int:
    """Return the seed of all matches of an encounter, from 0 to 2 ** 53 - 1.

    It is the first 53 bits of BLAKE2b over the numbers in decimal, joined by ``:``. Nobody who does not know ``lots``,
    the tournament's secret number, can compute it before the match. Stages are counted from 0; rounds in a stage,
    pairings in a round, and encounters of a pairing from 1.
    """
    text = f"{lots}:{stage}:{round_}:{pairing}:{encounter}"
    digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> (64 - SEED_BITS)
