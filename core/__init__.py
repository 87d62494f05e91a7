"""What all games share: their interface, the referee, replays; and the reader of tars. Pure numpy, no I/O."""

__version__ = "1.0.0"
"""Of the software; workers report it."""
