"""The kind of news that webhooks bring."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.news_kinds import NewsKind, filled, news_kinds_register

HOOK_OFF = NewsKind(
    "hook_off",
    filled(
        _(
            "Your webhook to %(host)s was turned off, since %(failures)d tries in a row have failed. Please repair your"
            " program, then turn it on again."
        )
    ),
    lambda values: reverse("webhooks:hooks"),
    _("webhook off"),
)
"""A webhook of the reader was turned off, since too many tries in a row have failed."""

news_kinds_register(HOOK_OFF)
