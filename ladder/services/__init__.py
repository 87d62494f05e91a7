"""Writes: the only code that changes accounts, bots, versions, boards, games and workers."""
