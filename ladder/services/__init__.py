"""Writes: the only code that changes accounts' bots and versions."""
