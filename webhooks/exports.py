"""What the export of a person's data holds of webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.exports import Section, rows_of, sections_register
from webhooks.models import Delivery, Hook

sections_register(
    Section(
        "webhooks",
        _("your webhooks, without their secrets"),
        ("webhooks.Hook",),
        lambda user: rows_of(Hook.objects.filter(owner=user), without=("nonce",)),
        deleted=_("your webhooks and what was sent to them"),
    ),
    Section(
        "deliveries",
        _("what was sent to your webhooks in the last 30 days"),
        ("webhooks.Delivery",),
        lambda user: rows_of(Delivery.objects.filter(hook__owner=user)),
    ),
)
