"""random: goes to a random neighbour in each round."""

import random

from back_to_the_code import View, neighbours, order, play


def decide(view: View) -> str:
    """Return an order."""
    return order(random.choice(neighbours(view.me.cell)))


play(decide)
