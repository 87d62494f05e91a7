"""Reads of accounts."""
