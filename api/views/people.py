"""API views of users' public profiles and of notifications."""

from __future__ import annotations

from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.selectors.notifications import notification_of, notifications_of
from accounts.selectors.users import user_named
from accounts.services.notifications import notifications_read
from api.base import Api, PagedApi, described, found_or_404
from api.serializers.people import NotificationSerializer, ProfileSerializer, ReadSerializer
from ladder.selectors.profiles import profile_of


class UserApi(Api):
    """GET: a user's public profile."""

    @described(ProfileSerializer)
    def get(self, request: Request, name: str) -> Response:
        """Show a user: when the user joined, and bots with ranks and leagues. For matches see `matches/?owner=`."""
        user = found_or_404(user_named(name=name))
        return Response(ProfileSerializer(profile_of(user=user, reader=self.reader)).data)


class NotificationsApi(PagedApi):
    """GET: the caller's notifications."""

    permission_classes = [IsAuthenticated]

    @described(NotificationSerializer(many=True))
    def get(self, request: Request) -> Response:
        """List your notifications, newest first; `read_at` is null while one is unread."""
        return self.page(notifications_of(reader=self.user), NotificationSerializer)


class NotificationsReadApi(Api):
    """POST: mark all of the caller's notifications as read."""

    permission_classes = [IsAuthenticated]

    @described(ReadSerializer)
    def post(self, request: Request) -> Response:
        """Mark all your notifications as read."""
        return Response(ReadSerializer({"marked": notifications_read(reader=self.user)}).data)


class NotificationReadApi(Api):
    """POST: mark one of the caller's notifications as read."""

    permission_classes = [IsAuthenticated]

    @described(ReadSerializer)
    def post(self, request: Request, pk: int) -> Response:
        """Mark one of your notifications as read."""
        found = found_or_404(notification_of(pk=pk, reader=self.user))
        return Response(ReadSerializer({"marked": notifications_read(reader=self.user, pk=found.pk)}).data)
