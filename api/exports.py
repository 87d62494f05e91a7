"""What the export of a person's data holds of API tokens."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from knox.models import AuthToken

from accounts.exports import Section, sections_register

sections_register(
    Section(
        "tokens",
        _("your API tokens: how each begins, and until when it is valid"),
        ("knox.AuthToken",),
        lambda user: AuthToken.objects.filter(user=user).order_by("created").values("token_key", "created", "expiry"),
        deleted=_("your API tokens"),
    ),
)
