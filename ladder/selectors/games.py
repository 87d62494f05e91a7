"""Reads the games of this arena: their titles, states, deadlines and limits."""

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
from common.words.messages import game_title
from games.housebots import housebots_fault
from games.kits import kits_fault
from games.registry import game_named, game_names, games_broken
from ladder.models import GameSetting
from wire.jobs import BotLimits

State = GameSetting.State

LIMIT_NAMES: tuple[str, ...] = BotLimits.__struct_fields__
LIMIT_DIGITS_MAX = 9
DUEL_SEATS = 2
"""Seats of a match that a user asks for (a challenge or a test), also in games for more players."""


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game of this arena, as pages and the API show it."""

    name: str
    """The name in urls and in the registry of games."""
    title: str

    @property
    def limits(self) -> BotLimits:
        """The limits of each bot (memory, processes and so on) besides its thinking time."""
        return bot_limits(game=self.name)

    @property
    def setting(self) -> GameSetting:
        """Its state, deadline and limits."""
        return game_setting(game=self.name)

    @property
    def notice(self) -> str:
        """Why the game makes no new matches now, in whole sentences; empty while it is open."""
        return play_problem(self.setting.state)

    @property
    def deadline(self) -> datetime | None:
        """The deadline for uploads, past ones too; None if there is none or the game is frozen."""
        return None if self.setting.state == State.FROZEN else self.setting.uploads_until

    @property
    def takes_bots(self) -> bool:
        """Whether the game takes uploads, by cached settings; ``upload_problem`` reads the current ones."""
        return self.setting.state != State.FROZEN and not self.setting.is_past_deadline()


def games_all() -> tuple[GameCard, ...]:
    """Return the games that this arena offers (no query)."""
    return tuple(GameCard(name, game_title(name)) for name in settings.GAMES)


def game_card(*, name: str) -> GameCard | None:
    """Return the game with a name, or None if this arena does not offer it (no query)."""
    return next((card for card in games_all() if card.name == name), None)


def packages_problems() -> list[str]:
    """Return sentences on installed games that cannot be used, and on what is left out of others (no query)."""
    games = set(settings.GAMES) & set(game_names())
    faults = [fault(game) for game in games for fault in (housebots_fault, kits_fault, _limits_fault)]
    return [*games_broken().values(), *sorted(filter(None, faults))]


def table_size(*, game: str) -> int:
    """Return how many bots a rated match of a game has; of one that is not installed any more, ``DUEL_SEATS``."""
    return game_named(game).players[0] if game in game_names() else DUEL_SEATS


# --- How a game is run ----------------------------------------------------------------------------------------------


def game_setting(*, game: str) -> GameSetting:
    """Return the setting of a game for pages and jobs; it may be some seconds old (cached: seldom a query)."""
    return cached(_settings_by_game).get(game) or GameSetting(game=game)


def game_state(*, game: str) -> State:
    """Return the current state of a game, for services that decide by it (1 query)."""
    state = GameSetting.objects.filter(game=game).values_list("state", flat=True).first()
    return State(state or State.OPEN)


def play_problem(state: str) -> str:
    """Return why a game in this state makes no new matches, in whole sentences; empty if it makes them."""
    if state == State.PAUSED:
        return _("This game is paused: no new matches are made just now. Bots play once it is open again.")
    if state == State.FROZEN:
        return _(
            "This game is frozen: its contest is over. No bots are taken and no new matches are made; the board and all"
            " replays stay."
        )
    return ""


def duel_problem(*, game: str) -> str:
    """Return why two bots cannot play a match in a game now, in whole sentences; empty if they can (1 query)."""
    if game not in settings.GAMES or DUEL_SEATS not in game_named(game).players:
        return _("This arena does not play this game with two players, so no two can meet alone.")
    return play_problem(game_state(game=game))


def upload_problem(*, game: str, uploaded_at: datetime | None = None) -> str:
    """Return why a game takes no uploads, in whole sentences; empty if it takes them (1 query).

    Args:
        game: name of the game.
        uploaded_at: when a version that is to be built again was uploaded, since a deadline after that does not refuse
            it; None for a new upload.
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
    """Return the limits of each bot of a game: those that administrators have chosen, else ``limits_installed``.

    Cached: seldom a query. Jobs carry the limits, so a change holds for matches that are handed out after it.
    """
    # Stored limits were checked when they were chosen. A name that a newer version of the arena removed is ignored.
    chosen = {name: value for name, value in game_setting(game=game).limits.items() if name in LIMIT_NAMES}
    return msgspec.convert({**msgspec.to_builtins(limits_installed(game=game)), **chosen}, BotLimits)


def limits_installed(*, game: str) -> BotLimits:
    """Return the limits of a game's bots without the administrators' choices.

    The setting ``BOT_LIMITS`` comes before the limits that the game declares, and these before the defaults. A game
    whose package has been uninstalled declares none: its jobs wait among those of the others. What a game declares
    counts only if it can be given.

    Raises:
        ImproperlyConfigured: ``BOT_LIMITS`` names an unknown limit, or a value out of its range.
    """
    declared = game_named(game).bot_limits if game in game_names() and not _limits_fault(game) else {}
    chosen = {**declared, **settings.BOT_LIMITS.get(game, {})}
    try:
        return msgspec.convert(chosen, BotLimits)
    except msgspec.ValidationError as error:
        raise ImproperlyConfigured(f"BOT_LIMITS for {game} cannot be given: {error}.") from error


def _limits_fault(game: str) -> str:
    """Return why the limits that an installed game declares cannot be given; empty if they can."""
    try:
        msgspec.convert(dict(game_named(game).bot_limits), BotLimits)
    except (msgspec.ValidationError, TypeError, ValueError) as error:
        return f"The limits of bots that {game} declares are left out, since they cannot be given: {error}."
    return ""


def game_limits_read(words: Iterable[str]) -> dict[str, int]:
    """Return limits from words such as ``memory_mib=512``. A word such as ``memory_mib=`` leaves the limit out.

    Raises:
        InputError: a word has another form.
    """
    limits = {}
    for word in words:
        name, equals, number = word.partition("=")
        # Without "=" it is refused: "memory_mib 512" read as two names without a number would reset all limits.
        if not equals or (number and not (number.isascii() and number.isdecimal() and len(number) <= LIMIT_DIGITS_MAX)):
            raise InputError(_("%(word)s is no limit: write its name, = and a whole number.") % {"word": word})
        if number:
            limits[name] = int(number)
    return limits
