"""The tables of bots, their versions and ratings, what they did, who follows them, and announcements."""

from __future__ import annotations

from ladder.models.bots import Bot, BotVersion, SentFile
from ladder.models.follows import BotEvent, Follow
from ladder.models.honours import Honour
from ladder.models.ratings import DailyRating, Rating, RatingPoint
from ladder.models.site import Announcement

__all__ = [
    "Announcement",
    "Bot",
    "BotEvent",
    "BotVersion",
    "DailyRating",
    "Follow",
    "Honour",
    "Rating",
    "RatingPoint",
    "SentFile",
]
