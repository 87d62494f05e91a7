"""Make a game of your own: begin it, check it, play it, watch it."""

from __future__ import annotations

from banzuke.commands.game import check, new, play, watch

COMMANDS = {"new": new, "check": check, "play": play, "watch": watch}
