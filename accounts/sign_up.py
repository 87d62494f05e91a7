"""The form of the sign-up page."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.models import User
from common.validators import username_rule


class SignUpForm(SignupForm):  # type: ignore[misc]  # allauth brings no types
    """allauth's form, whose help texts say which names are allowed and what the e-mail address is for.

    It also reports a name that was taken between validation and saving, most often by a second click.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of allauth's form."""
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = username_rule()
        self.fields["email"].help_text = _("If you forget your password, a link for a new one is sent there.")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account and return it with no response; if the name is taken, return a redirect to the form."""
        try:
            with transaction.atomic():
                made: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return made
        except IntegrityError:
            messages.error(request, get_adapter().error_messages["username_taken"])
            return None, redirect("account_signup")
