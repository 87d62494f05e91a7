"""An arena for measuring: as at home, on the database that DATABASE_URL names, with matches of a fixed length."""

from __future__ import annotations

import os

from arena.settings.base import DATABASE_POOL
from arena.settings.embedded import *  # noqa: F403 - settings are composed by star import, as Django's own docs do
from arena.settings.embedded import env
from games.kakomimasu import Kakomimasu

TURNS = 60

# Otherwise each match is as long as its seed says.
Kakomimasu.rulesets = {"present": {"turns": TURNS}}
GAMES = ["kakomimasu"]
PROCESSES_ASSUMED = int(os.environ["PLAYING"])
if env.str("DATABASE_URL", default=""):
    DATABASES = {
        "default": {**env.db("DATABASE_URL"), "CONN_HEALTH_CHECKS": True, "OPTIONS": {"pool": DATABASE_POOL}},
    }
