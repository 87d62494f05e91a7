"""Reads of downloads."""
