"""Starts and stops an arena."""
