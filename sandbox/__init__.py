"""Runs one untrusted program inside walls; builds uploads."""
