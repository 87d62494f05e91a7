"""Serializer of announcements."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import RowSerializer
from ladder.models import Announcement


class AnnouncementSerializer(RowSerializer[Announcement]):
    """An announcement, which stands at the top of every page, or of the pages of one contest."""

    contest = serializers.CharField(source="contest_id", allow_null=True, help_text="Null: on every page.")

    class Meta:
        model = Announcement
        fields = ["id", "text", "level", "contest", "shown_from", "shown_until"]
