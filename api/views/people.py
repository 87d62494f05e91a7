"""API views of users' public profiles and of notifications."""

from __future__ import annotations

from rest_framework.request import Request

from accounts.selectors.notifications import notification_of, notifications_of
from accounts.selectors.users import user_named
from accounts.services.notifications import notifications_read
from api.base import Api, PagedApi, Resource, SignedInApi, described, found_or_404
from api.serializers.people import NotificationSerializer, ProfileSerializer, ReadSerializer
from ladder.selectors.profiles import profile_of


class UserApi(Api):
    """GET: a user's public profile."""

    @described(ProfileSerializer)
    def get(self, request: Request, name: str) -> object:
        """Show a user: when the user joined, and bots with ranks and leagues. For matches see `matches/?owner=`."""
        user = found_or_404(user_named(name=name))
        return profile_of(user=user, reader=self.reader)


class NotificationApi(Resource, SignedInApi, PagedApi):
    """Views of the caller's notifications."""

    @described(NotificationSerializer(many=True))
    def all(self, request: Request) -> object:
        """List your notifications, newest first; `read_at` is null while one is unread."""
        return notifications_of(reader=self.user)

    @described(ReadSerializer)
    def read_all(self, request: Request) -> object:
        """Mark all your notifications as read."""
        return {"marked": notifications_read(reader=self.user)}

    @described(ReadSerializer)
    def read(self, request: Request, pk: int) -> object:
        """Mark one of your notifications as read."""
        found = found_or_404(notification_of(pk=pk, reader=self.user))
        return {"marked": notifications_read(reader=self.user, pk=found.pk)}
