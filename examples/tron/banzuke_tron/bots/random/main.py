"""random: takes any direction that does not crash at once."""

import random

from tron import View, play


def decide(view: View) -> str:
    """Return a direction."""
    return random.choice(view.moves)


play(decide)
