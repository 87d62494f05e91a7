"""API views of the caller's webhooks."""

from __future__ import annotations

from http import HTTPStatus

from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource, SignedInApi, checked, created, described, found_or_404
from api.serializers.webhooks import (
    DeliverySerializer,
    HookSentSerializer,
    HookSerializer,
    NewHookSerializer,
    WholeHookSerializer,
)
from webhooks.models import Hook
from webhooks.selectors.hooks import hook_of, hooks_of
from webhooks.services.deliveries import delivery_test
from webhooks.services.hooks import hook_create, hook_delete, hook_resume


class HookApi(Resource, SignedInApi):
    """Views of the caller's webhooks."""

    def hook(self, pk: int) -> Hook:
        """Return the caller's webhook.

        Raises:
            NotFound: there is none.
        """
        return found_or_404(hook_of(owner=self.user, pk=pk))

    @described(HookSerializer(many=True))
    def all(self, request: Request) -> Response:
        """List your webhooks."""
        return Response(HookSerializer(hooks_of(owner=self.user), many=True).data)

    @created(NewHookSerializer, body=HookSentSerializer, limit="hook")
    def create(self, request: Request) -> Response:
        """Make a webhook; the answer has its secret, which cannot be read again later."""
        hook = hook_create(owner=self.user, **checked(HookSentSerializer, request.data))
        return Response(NewHookSerializer(hook).data, status=HTTPStatus.CREATED)

    @described(WholeHookSerializer)
    def show(self, request: Request, pk: int) -> Response:
        """Show a webhook of yours and its newest messages."""
        return Response(WholeHookSerializer(self.hook(pk)).data)

    @described(None, status=HTTPStatus.NO_CONTENT)
    def remove(self, request: Request, pk: int) -> Response:
        """Delete a webhook of yours; what waits is not sent any more."""
        hook_delete(hook=self.hook(pk))
        return Response(status=HTTPStatus.NO_CONTENT)

    @described(DeliverySerializer, status=HTTPStatus.CREATED, limit="hook")
    def test(self, request: Request, pk: int) -> Response:
        """Send a test to a webhook of yours within some seconds, once; also to one that was turned off."""
        return Response(DeliverySerializer(delivery_test(hook=self.hook(pk))).data, status=HTTPStatus.CREATED)

    @described(WholeHookSerializer, limit="hook")
    def resume(self, request: Request, pk: int) -> Response:
        """Turn on again a webhook of yours that was turned off; what happened meanwhile is not sent."""
        hook_resume(hook=self.hook(pk))
        return Response(WholeHookSerializer(self.hook(pk)).data)
