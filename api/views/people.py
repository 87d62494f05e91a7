"""Users as everybody sees them, and what they alone are told."""

from __future__ import annotations

from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.selectors.notifications import notification_of, notifications_of
from accounts.services.notifications import notifications_read
from api.base import Api, PagedApi, described, found_or_404
from api.serializers.people import NotificationSerializer, ProfileSerializer, ReadSerializer
from ladder.selectors.profiles import profile_of, user_named


class UserApi(Api):
    """One user."""

    @described(ProfileSerializer)
    def get(self, request: Request, name: str) -> Response:
        """Show a user: bots with ranks and leagues, and since when. The matches are those of `matches/?owner=`."""
        user = found_or_404(user_named(name=name))
        return Response(ProfileSerializer(profile_of(user=user, reader=self.reader)).data)


class NotificationsApi(PagedApi):
    """One's own notifications."""

    permission_classes = [IsAuthenticated]

    @described(NotificationSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List your notifications, newest first; `read_at` is null while one is new."""
        return self.page(notifications_of(reader=self.user), NotificationSerializer)


class NotificationsReadApi(Api):
    """All of them as read."""

    permission_classes = [IsAuthenticated]

    @described(ReadSerializer)
    def post(self, request: Request) -> Response:
        """Mark all your notifications as read."""
        return Response(ReadSerializer({"marked": notifications_read(reader=self.user)}).data)


class NotificationReadApi(Api):
    """One of them as read."""

    permission_classes = [IsAuthenticated]

    @described(ReadSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Mark one of your notifications as read."""
        found = found_or_404(notification_of(pk=pk, reader=self.user))
        return Response(ReadSerializer({"marked": notifications_read(reader=self.user, pk=found.pk)}).data)
