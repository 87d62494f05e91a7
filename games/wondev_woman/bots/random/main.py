"""random: chooses any of the legal actions."""

import random

from wondev_woman import View, play


def decide(view: View) -> str:
    """Return an action."""
    return random.choice(view.actions)


play(decide)
