"""The tables of bots, their versions and ratings, and announcements."""

from __future__ import annotations

from ladder.models.bots import Bot, BotVersion
from ladder.models.ratings import Rating, RatingPoint
from ladder.models.site import Announcement

__all__ = ["Announcement", "Bot", "BotVersion", "Rating", "RatingPoint"]
