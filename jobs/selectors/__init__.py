"""Reads of workers and languages."""
