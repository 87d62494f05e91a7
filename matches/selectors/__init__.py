"""Reads: what the pages of matches and the services ask the database."""
