"""The form of the sign-up page."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import SignupForm
from allauth.account.models import EmailAddress
from allauth.socialaccount.forms import SignupForm as ProviderForm
from allauth.socialaccount.internal.flows.signup import redirect_to_signup
from allauth.socialaccount.models import SocialLogin
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from accounts.forms import TypedMixin
from accounts.models import User
from accounts.providers import address_taken
from common.validators import username_rule


class SignUpForm(TypedMixin, SignupForm):  # type: ignore[misc]  # allauth brings no types
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


class ProviderSignUpForm(TypedMixin, ProviderForm):  # type: ignore[misc]  # allauth brings no types
    """The form after a first sign-in by a provider: it asks for a user name and an e-mail address, for no password."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of allauth's form."""
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = username_rule()
        self.fields["email"].help_text = _("For notifications, and for contests of one school or company.")

    def clean_email(self) -> str:
        """Check the address and return it.

        An address that another account has verified is refused only if the provider says that this reader owns it, too.
        The attack: somebody types addresses to learn which of them have accounts.

        Raises:
            ValidationError: there is an account with this address, and the reader owns it.
        """
        email: str = super().clean_email()
        owned = {known.email for known in self.sociallogin.email_addresses if known.verified}
        if email in owned and EmailAddress.objects.is_verified(email):
            raise ValidationError(address_taken(self.sociallogin.provider.name))
        return email

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Create the account and return it with no response; if the name is taken, return a redirect to the form."""
        before = self.sociallogin.serialize()
        try:
            with transaction.atomic():
                made: tuple[User | None, HttpResponse | None] = super().try_save(request)
                return made
        except IntegrityError:
            messages.error(request, get_adapter().error_messages["username_taken"])
            # As it was: with the number of the account that was not created, the next try could change another account.
            return None, redirect_to_signup(request, SocialLogin.deserialize(before))
