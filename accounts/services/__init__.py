"""Writes of accounts."""
