"""API views of the caller's webhooks."""

from __future__ import annotations

from http import HTTPStatus

from rest_framework.request import Request

from api.base import Resource, SignedInApi, created, described, found_or_404
from api.serializers import webhooks as serializers
from webhooks.models import Hook
from webhooks.selectors.hooks import hook_of, hooks_of
from webhooks.services.deliveries import delivery_test
from webhooks.services.hooks import hook_create, hook_delete, hook_resume


class HookApi(Resource, SignedInApi):
    """Views of the caller's webhooks."""

    @described(serializers.HookSerializer(many=True))
    def all(self, request: Request) -> object:
        """List your webhooks."""
        return hooks_of(owner=self.user)

    @created(serializers.NewHookSerializer, body=serializers.HookSentSerializer, limit="hook")
    def create(self, request: Request) -> object:
        """Make a webhook; the answer has its secret, which cannot be read again later."""
        return hook_create(owner=self.user, **self.sent())

    @described(serializers.WholeHookSerializer)
    def show(self, request: Request, pk: int) -> object:
        """Show a webhook of yours and its newest messages."""
        return self._hook(pk)

    @described(None, status=HTTPStatus.NO_CONTENT)
    def remove(self, request: Request, pk: int) -> None:
        """Delete a webhook of yours; messages that wait are not sent any more."""
        hook_delete(hook=self._hook(pk))

    @described(serializers.DeliverySerializer, status=HTTPStatus.CREATED, limit="hook")
    def test(self, request: Request, pk: int) -> object:
        """Send a test message to a webhook of yours within some seconds, without a second try; also if it is off."""
        return delivery_test(hook=self._hook(pk))

    @described(serializers.WholeHookSerializer, limit="hook")
    def resume(self, request: Request, pk: int) -> object:
        """Turn on again a webhook of yours that was turned off; what happened meanwhile is not sent."""
        hook_resume(hook=self._hook(pk))
        return self._hook(pk)

    def _hook(self, pk: int) -> Hook:
        return found_or_404(hook_of(owner=self.user, pk=pk))
