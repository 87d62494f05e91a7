"""Writes of downloads."""
