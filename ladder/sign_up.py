"""The form of the sign-up page."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from ladder.models import User


class SignUpForm(SignupForm):  # type: ignore[misc]  # allauth brings no types
    """allauth's; a name that is taken between the look and the saving is told, too: most often by a second click."""

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account, or say that the name is taken."""
        try:
            with transaction.atomic():
                made: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return made
        except IntegrityError:
            messages.error(request, get_adapter().error_messages["username_taken"])
            return None, redirect("account_signup")
