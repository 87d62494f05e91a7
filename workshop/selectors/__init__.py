"""Reads of the workshop."""
