"""Forms of accounts; they take names and addresses without characters that nobody sees."""

from __future__ import annotations

from typing import Any, cast

from allauth.account import forms as allauth_forms
from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from accounts.models import ABOUT_MAX, AFFILIATION_MAX
from common.forms import EditForm, SentForm, TextField
from common.text import typed
from common.validators import username_rule


class TypedMixin(forms.BaseForm):
    """Cleans what was typed into a form of allauth, as ``common.forms.TextField`` does; passwords stay as they are.

    It does so before the form checks the text, so that an address pasted with a byte order mark is valid.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Take the arguments of allauth's form."""
        super().__init__(*args, **kwargs)
        texts = [name for name, field in self.fields.items() if isinstance(field, forms.CharField) and field.strip]
        sent = {key: typed(self.data[key]) for key in map(self.add_prefix, texts) if key in self.data}
        if sent:
            data = cast(QueryDict, self.data).copy()
            for key, text in sent.items():
                data[key] = text
            self.data = data


class SignInForm(TypedMixin, allauth_forms.LoginForm):  # type: ignore[misc]  # allauth brings no types
    """The form of the sign-in page: name and password."""


class AddressForm(TypedMixin, allauth_forms.AddEmailForm):  # type: ignore[misc]  # allauth brings no types
    """Another e-mail address of the account."""


class NewPasswordForm(TypedMixin, allauth_forms.ResetPasswordForm):  # type: ignore[misc]  # allauth brings no types
    """The address to which a link for a new password is sent."""


class RenameForm(SentForm):
    """Another user name; ``accounts.services.accounts.account_rename`` checks it by the rules of sign-up."""

    refused_at = "name"
    name = TextField(
        label=_("New user name"),
        min_length=settings.ACCOUNT_USERNAME_MIN_LENGTH,
        max_length=150,
        help_text=lazy(username_rule, str)(),
        widget=forms.TextInput(attrs={"autocomplete": "username", "autocapitalize": "off", "spellcheck": "false"}),
    )


class ProfileForm(EditForm):
    """What the public profile says beside the bots."""

    affiliation = TextField(
        label=_("School or team"),
        max_length=AFFILIATION_MAX,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "organization"}),
    )
    about = TextField(
        label=_("About me"),
        max_length=ABOUT_MAX,
        required=False,
        help_text=_("Everybody can read it. Markdown: **bold**, [a link](https://example.org), - a list."),
        widget=forms.Textarea(attrs={"rows": 8}),
    )
