"""What the export of a person's data tells of the workshop."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.exports import Section, rows_of, sections_register
from workshop.models import Draft, Try

sections_register(
    Section(
        "drafts",
        _("the programs on which you work in the workshop"),
        ("workshop.Draft",),
        lambda user: rows_of(Draft.objects.filter(owner=user)),
        deleted=_("your drafts in the workshop"),
    ),
    Section(
        "tries",
        _("what you have tried in the workshop in the last days"),
        ("workshop.Try",),
        lambda user: rows_of(Try.objects.filter(owner=user), without=("lease_token", "seed")),
        deleted=_("what you have tried in the workshop"),
    ),
)
