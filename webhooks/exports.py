"""What the export of a person's data holds of webhooks."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts.exports import Section, rows_of, section_register
from webhooks.models import Delivery, Hook

section_register(
    Section(
        "webhooks",
        gettext_lazy("your webhooks, without their secrets"),
        ("webhooks.Hook",),
        lambda user: rows_of(Hook.objects.filter(owner=user), without=("nonce",)),
    )
)
section_register(
    Section(
        "deliveries",
        gettext_lazy("what was sent to your webhooks in the last 30 days"),
        ("webhooks.Delivery",),
        lambda user: rows_of(Delivery.objects.filter(hook__owner=user)),
    )
)
