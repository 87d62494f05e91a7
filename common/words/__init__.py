"""Sentences that several apps show."""
