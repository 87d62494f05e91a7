"""What the site shows of the games themselves, and how administrators run them here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

import msgspec
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

from common.errors import InputError
from common.queries.cached import cached
from common.times import moment
from games.registry import game_named
from ladder.models import GameSetting
from wire.jobs import BotLimits

State = GameSetting.State

LIMIT_NAMES: tuple[str, ...] = BotLimits.__struct_fields__
LIMIT_DIGITS_MAX = 9
DUEL_SEATS = 2
"""Of a match that somebody asks for, also in games that more may play."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the pages name it."""

    name: str
    """As in addresses and the core's registry."""
    title: str

    @property
    def limits(self) -> BotLimits:
        """What each bot may use, beside its time."""
        return bot_limits(game=self.name)

    @property
    def setting(self) -> GameSetting:
        """How it is run here."""
        return game_setting(game=self.name)

    @property
    def notice(self) -> str:
        """What is not done for it just now, in whole sentences; empty while it is open."""
        return play_problem(self.setting.state)

    @property
    def deadline(self) -> datetime | None:
        """Until when bots are taken, or were; None: that is not what decides."""
        return None if self.setting.state == State.FROZEN else self.setting.uploads_until

    @property
    def takes_bots(self) -> bool:
        """Whether uploads are taken now, as far as is known here: ``upload_problem`` decides."""
        return self.setting.state != State.FROZEN and not self.setting.is_past_deadline()


def games_all() -> tuple[GameCard, ...]:
    """Return the games this arena offers (no query)."""
    return tuple(GameCard(name, _(game_named(name).title)) for name in settings.GAMES)


def game_card(*, name: str) -> GameCard | None:
    """Return a game by its name, or None (no query)."""
    return next((card for card in games_all() if card.name == name), None)


# --- How a game is run ----------------------------------------------------------------------------------------------


def game_setting(*, game: str) -> GameSetting:
    """Return how a game is run, for pages and jobs: as it was within ``kept.SECONDS`` (seldom a query)."""
    return cached(_settings_by_game).get(game) or GameSetting(game=game)


def game_state(*, game: str) -> State:
    """Return the state of a game as it is now, for what is decided by it (1 query)."""
    state = GameSetting.objects.filter(game=game).values_list("state", flat=True).first()
    return State(state or State.OPEN)


def play_problem(state: str) -> str:
    """Say in whole sentences why no new match of a game in this state is made; empty if they are."""
    if state == State.PAUSED:
        return _("This game is paused: no new matches are made just now. Bots play once it is open again.")
    if state == State.FROZEN:
        return _(
            "This game is frozen: its contest is over. No bots are taken and no new matches are made; the board and all"
            " replays stay."
        )
    return ""


def duel_problem(*, game: str) -> str:
    """Say in whole sentences why two bots cannot meet alone in a game now; empty if they can (1 query)."""
    if game not in settings.GAMES or DUEL_SEATS not in game_named(game).players:
        return _("This arena does not play this game with two players, so no two can meet alone.")
    return play_problem(game_state(game=game))


def upload_problem(*, game: str, uploaded_at: datetime | None = None) -> str:
    """Say in whole sentences why a game takes no bots; empty if it does (1 query).

    Args:
        game: its name.
        uploaded_at: of a bot that is to be built again: one that came in time is late by our fault alone. None: now.
    """
    setting = GameSetting.objects.filter(game=game).first() or GameSetting(game=game)
    if setting.state == State.FROZEN:
        return play_problem(setting.state)
    if setting.is_past_deadline(uploaded_at):
        return _("No bots are taken for this game any more: they were until %(moment)s.") % {
            "moment": moment(setting.uploads_until)
        }
    return ""


def _settings_by_game() -> Mapping[str, GameSetting]:
    return {setting.game: setting for setting in GameSetting.objects.all()}


# --- Limits ---------------------------------------------------------------------------------------------------------


def bot_limits(*, game: str) -> BotLimits:
    """Return what each bot of a game may use: what administrators have chosen, else what ``limits_installed`` says.

    Seldom a query. Jobs carry the limits, so a change is one of the matches that are handed out from then on.
    """
    # What was chosen has been checked then; a limit that a newer version does not know any more limits nothing.
    chosen = {name: value for name, value in game_setting(game=game).limits.items() if name in LIMIT_NAMES}
    return msgspec.convert({**msgspec.to_builtins(limits_installed(game=game)), **chosen}, BotLimits)


def limits_installed(*, game: str) -> BotLimits:
    """Return the limits before anybody chooses: what the installation sets, else the game declares, else any bot has.

    Raises:
        ImproperlyConfigured: the setting names a limit that there is not, or a value that no worker gives.
    """
    chosen = {**game_named(game).bot_limits, **settings.BOT_LIMITS.get(game, {})}
    try:
        return msgspec.convert(chosen, BotLimits)
    except msgspec.ValidationError as error:
        raise ImproperlyConfigured(f"BOT_LIMITS for {game} cannot be given: {error}.") from error


def game_limits_read(words: Iterable[str]) -> dict[str, int]:
    """Return limits from words such as ``memory_mib=512``; of ``memory_mib=`` the limit is left out: as installed.

    Raises:
        InputError: a word is none of these.
    """
    limits = {}
    for word in words:
        name, equals, number = word.partition("=")
        # The accident: of "memory_mib 512" all that is named is left out, which takes back all that was chosen before.
        if not equals or (number and not (number.isascii() and number.isdecimal() and len(number) <= LIMIT_DIGITS_MAX)):
            raise InputError(_("%(word)s is no limit: write its name, = and a whole number.") % {"word": word})
        if number:
            limits[name] = int(number)
    return limits
