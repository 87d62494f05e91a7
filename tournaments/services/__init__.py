"""Writes of tournaments: each function is one act."""
