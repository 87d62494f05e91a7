"""Reads of tournaments."""
