"""The APIs of games, which other servers have, too."""

from __future__ import annotations

import re

GAME_APIS = {"kakomimasu_api": re.compile(r"/(?:v1|version)(?:/|$)")}
"""Apps that speak the API of another server of a game, so that its clients play here, and the paths that each answers.

Cookies do not count at these paths, so pages of all origins may play there (``arena.serving.other_origins``).
"""
