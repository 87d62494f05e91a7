"""What all games share: their interface, the referee, replays; and the reader of tars. Pure numpy, no I/O."""

__version__ = "1.0.0"
"""Version of this software. Workers report it to the site."""
