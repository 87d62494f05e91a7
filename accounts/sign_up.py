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
    """allauth's, which tells beforehand what a name may be, and what an address is for.

    A name that is taken between the look and the saving is told, too: most often by a second click.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take what allauth's takes."""
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = username_rule()
        self.fields["email"].help_text = _("If you forget your password, a link for a new one is sent there.")

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Make the account, or say that the name is taken."""
        try:
            with transaction.atomic():
                made: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return made
        except IntegrityError:
            messages.error(request, get_adapter().error_messages["username_taken"])
            return None, redirect("account_signup")
