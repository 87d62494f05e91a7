"""What the export of a person's data tells of the API's games, besides seats (``matches.exports``), and what stays."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from accounts.exports import Section, rows_of, section_register
from kakomimasu_api.models import KakomimasuGame
from ladder.selectors.closing import KEPT

section_register(
    Section(
        "kakomimasu",
        gettext_lazy("the games of Kakomimasu in which you wait for another player"),
        (KakomimasuGame._meta.label,),
        lambda user: rows_of(
            KakomimasuGame.objects.filter(waiting_user=user), without=("waiting_secret_hash", "waiting_visitor")
        ),
    )
)
KEPT[KakomimasuGame._meta.label] = gettext_lazy(
    "A game of Kakomimasu in which you wait for another player, until somebody else asks for one."
)
