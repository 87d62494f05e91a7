"""What the export of a person's data tells of exhibitions, besides the seats (``matches.exports``)."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.exports import Section, rows_of, sections_register
from exhibitions.models import KakomimasuGame

sections_register(
    Section(
        "kakomimasu",
        _("the games of Kakomimasu in which you wait for another player"),
        ("exhibitions.KakomimasuGame",),
        lambda user: rows_of(
            KakomimasuGame.objects.filter(waiting_user=user), without=("waiting_secret_hash", "waiting_visitor")
        ),
        kept=_("A game of Kakomimasu in which you wait for another player, until somebody else asks for one."),
    ),
)
