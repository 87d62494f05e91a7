"""Writes of the workshop."""
