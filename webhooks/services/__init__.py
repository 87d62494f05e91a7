"""Writes of webhooks."""
