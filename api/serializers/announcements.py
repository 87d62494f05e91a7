"""Announcements."""

from __future__ import annotations

from rest_framework import serializers

from ladder.models import Announcement


class AnnouncementSerializer(serializers.ModelSerializer[Announcement]):
    """What administrators tell everybody on top of every page."""

    class Meta:
        model = Announcement
        fields = ["id", "text", "level", "shown_from", "shown_until"]
