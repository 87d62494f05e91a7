"""Breakthrough: who first moves a pawn to the other side wins."""

from banzuke.sdk import OpenSpielGame


class Breakthrough(OpenSpielGame):
    """OpenSpiel's game, on its board of 8 x 8."""

    name = "breakthrough"
    title = "Breakthrough"
    openspiel = "breakthrough"
