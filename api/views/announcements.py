"""API views of announcements."""

from __future__ import annotations

from rest_framework.request import Request

from api.base import Api, described
from api.serializers.announcements import AnnouncementSerializer
from ladder.selectors.announcements import announcements_shown


class AnnouncementsApi(Api):
    """GET: the announcements that are shown now."""

    @described(AnnouncementSerializer(many=True))
    def get(self, request: Request) -> object:
        """List what is announced now, newest first: on all pages, and on those of contests that lists show to you."""
        return announcements_shown(reader=self.reader)
