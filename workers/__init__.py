"""The playing side: takes jobs, plays and builds in the sandbox, reports. Holds no database credentials."""

__version__ = "1.0.0"
"""Of the software; workers report it."""
