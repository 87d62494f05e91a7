"""Serializer of announcements."""

from __future__ import annotations

from api.serializers.rows import RowSerializer
from ladder.models import Announcement


class AnnouncementSerializer(RowSerializer[Announcement]):
    """An announcement that administrators show at the top of every page."""

    class Meta:
        model = Announcement
        fields = ["id", "text", "level", "shown_from", "shown_until"]
