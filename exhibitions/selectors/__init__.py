"""Reads of exhibitions."""
