"""Accounts, bots, their versions and ratings; workers; what administrators did."""

from __future__ import annotations

from ladder.models.accounts import Notification, User
from ladder.models.bots import Bot, BotVersion
from ladder.models.ratings import Rating, RatingPoint
from ladder.models.site import Announcement, AuditEntry, GameSetting
from ladder.models.workers import Worker, WorkingLanguage

__all__ = [
    "Announcement",
    "AuditEntry",
    "Bot",
    "BotVersion",
    "GameSetting",
    "Notification",
    "Rating",
    "RatingPoint",
    "User",
    "Worker",
    "WorkingLanguage",
]
