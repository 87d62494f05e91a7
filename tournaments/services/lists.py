"""Enters bots into a tournament by a list of their names."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from common.errors import InputError
from common.names import name_key
from formats.stages import ENTRANTS_MAX
from ladder.models import Bot
from tournaments.models import Entrant, Tournament
from tournaments.services.entries import entrant_enter

PROBLEMS_SHOWN = 20
"""How many sentences about a list are told at most; of further ones only the number is told."""


class ListError(InputError):
    """A list cannot be used; ``sentences`` says what is wrong with which name."""

    def __init__(self, sentences: Sequence[str]) -> None:
        shown = list(sentences[:PROBLEMS_SHOWN])
        if more := len(sentences) - len(shown):
            shown.append(ngettext("One more name is wrong.", "%(count)d more names are wrong.", more) % {"count": more})
        super().__init__(" ".join(shown))
        self.sentences = shown


@transaction.atomic
def entrants_enter_list(*, tournament: Tournament, text: str, actor: User | None) -> list[Entrant]:
    """Enter the bots that a text names, one in each line, into an open tournament; return the new entrants in order.

    Empty lines, names that stand in the list twice, and bots that are entered already are passed over. ``actor`` is an
    organiser or administrator; None: the site itself.

    Raises:
        ListError: the list is empty or too long, or some of its bots are unknown or cannot be entered; one sentence for
            each. Nobody has been entered then.
    """
    lines = filter(None, map(str.strip, text.splitlines()))
    names = list({name_key(line): line for line in lines}.values())
    if not names:
        raise ListError([_("Please give the names of some bots, one in each line.")])
    if len(names) > ENTRANTS_MAX:
        raise ListError([_("Please give at most %(max)d names.") % {"max": ENTRANTS_MAX}])
    bots = {bot.name_key: bot for bot in _bots(tournament, names)}
    entered = set(tournament.entrants.values_list("bot", flat=True))
    made, faults = [], []
    for name in names:
        bot = bots.get(name_key(name))
        if bot is None:
            faults.append(_("This contest has no bot with the name “%(name)s”.") % {"name": name[:80]})
        elif bot.pk not in entered:
            try:
                with transaction.atomic():
                    made.append(entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=actor))
            except InputError as error:
                faults.append(f"{bot.name}: {error}")
    if faults:
        raise ListError(faults)
    return made


def _bots(tournament: Tournament, names: Sequence[str]) -> list[Bot]:
    keys = [name_key(name) for name in names if "\0" not in name]
    return list(Bot.objects.filter(contest=tournament.contest_id, name_key__in=keys))
