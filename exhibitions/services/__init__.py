"""Writes of exhibitions."""
