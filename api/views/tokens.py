"""API views of tokens."""

from __future__ import annotations

from http import HTTPStatus

from django.utils.translation import gettext as _
from rest_framework.request import Request

from api.base import Api, Resource, SignedInApi, created, described
from api.serializers.accounts import LoginSerializer, NewTokenSerializer, TokenSerializer
from api.tokens import token_create, token_revoke, tokens_of, user_by_password
from common.errors import InputError


class LoginApi(Api):
    """POST: a new token, for name and password."""

    @created(NewTokenSerializer, body=LoginSerializer, limit="login")
    def post(self, request: Request) -> object:
        """Make a token for a name and password."""
        sent = self.sent()
        user = user_by_password(request=self.http_request, **sent)
        if user is None:
            raise InputError(_("This name and password do not belong together. Please check both."))
        return token_create(owner=user)


class TokenApi(Resource, SignedInApi):
    """Views of the caller's tokens."""

    @described(TokenSerializer(many=True))
    def all(self, request: Request) -> object:
        """List your tokens."""
        return tokens_of(owner=self.user)

    @described(None, status=HTTPStatus.NO_CONTENT)
    def revoke(self, request: Request, begins_with: str) -> None:
        """Revoke a token of yours, named by its `begins_with`; without effect when there is none."""
        token_revoke(owner=self.user, begins_with=begins_with)
