"""What the export of a person's data tells of the workshop."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts.exports import Section, rows_of, section_register
from workshop.models import Draft, Try

section_register(
    Section(
        "drafts",
        gettext_lazy("the programs on which you work in the workshop"),
        ("workshop.Draft",),
        lambda user: rows_of(Draft.objects.filter(owner=user)),
    )
)
section_register(
    Section(
        "tries",
        gettext_lazy("what you have tried in the workshop in the last days"),
        ("workshop.Try",),
        lambda user: rows_of(Try.objects.filter(owner=user), without=("lease_token", "seed")),
    )
)
