"""What the export of a person's data tells of the API's games, besides seats (``matches.exports``), and what stays."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from accounts.exports import Section, rows_of, sections_register
from kakomimasu_api.models import KakomimasuGame

sections_register(
    Section(
        "kakomimasu",
        _("the games of Kakomimasu in which you wait for another player"),
        (KakomimasuGame._meta.label,),
        lambda user: rows_of(
            KakomimasuGame.objects.filter(waiting_user=user), without=("waiting_secret_hash", "waiting_visitor")
        ),
        kept=_("A game of Kakomimasu in which you wait for another player, until somebody else asks for one."),
    ),
)
