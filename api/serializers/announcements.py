"""Announcements."""

from __future__ import annotations

from api.serializers.rows import RowSerializer
from ladder.models import Announcement


class AnnouncementSerializer(RowSerializer[Announcement]):
    """What administrators tell everybody on top of every page."""

    class Meta:
        model = Announcement
        fields = ["id", "text", "level", "shown_from", "shown_until"]
