"""Management commands for accounts."""
