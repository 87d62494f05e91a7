"""API views of tokens."""

from __future__ import annotations

from http import HTTPStatus

from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Api, Resource, SignedInApi, checked, created, described
from api.serializers.accounts import LoginSerializer, NewTokenSerializer, TokenSerializer
from api.tokens import token_create, token_revoke, tokens_of, user_by_password
from common.errors import InputError


class LoginApi(Api):
    """POST: a new token, for name and password."""

    site_limit = "login"

    @created(NewTokenSerializer, body=LoginSerializer)
    def post(self, request: Request) -> Response:
        """Make a token for a name and password."""
        sent = checked(LoginSerializer, request.data)
        user = user_by_password(request=self.http_request, **sent)
        if user is None:
            raise InputError(_("This name and password do not belong together. Please check both."))
        return Response(NewTokenSerializer(token_create(owner=user)).data, status=HTTPStatus.CREATED)


class TokenApi(Resource, SignedInApi):
    """Views of the caller's tokens."""

    @described(TokenSerializer(many=True))
    def all(self, request: Request) -> Response:
        """List your tokens."""
        return Response(TokenSerializer(tokens_of(owner=self.user), many=True).data)

    @described(None, status=HTTPStatus.NO_CONTENT)
    def revoke(self, request: Request, begins_with: str) -> Response:
        """Revoke the token of yours that begins with this text; without effect when there is none."""
        token_revoke(owner=self.user, begins_with=begins_with)
        return Response(status=HTTPStatus.NO_CONTENT)
