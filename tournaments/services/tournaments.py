"""Makes, changes and deletes tournaments, and moves them from the draw to the release of their results."""

from __future__ import annotations

from typing import Unpack

from accounts.models import User
from tournaments.models import Tournament
from tournaments.validation import TournamentFields


def tournament_create(*, contest: str, slug: str, actor: User | None, **fields: Unpack[TournamentFields]) -> Tournament:
    """Make a draft of a tournament.

    Args:
        contest: key of its contest.
        slug: its key in the contest's urls.
        actor: an organiser of the contest or an administrator, which the caller has checked; None: the command line.
        fields: further fields; those left out have the model's defaults.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is made then.
        InputError: the arena has no such contest, or it is archived.
    """
    raise NotImplementedError


def tournament_change(*, tournament: int, actor: User | None, **fields: Unpack[TournamentFields]) -> Tournament:
    """Change fields of a tournament: texts always, ``starts_at`` until it starts, all others until it is drawn.

    Args:
        tournament: its primary key.
        actor: an organiser or administrator; None: the command line.
        fields: the fields to change.

    Raises:
        FieldsError: some fields cannot be as they are. Nothing is changed then.
    """
    raise NotImplementedError


def tournament_delete(*, tournament: int, actor: User | None) -> None:
    """Delete a tournament that has no result yet.

    Raises:
        InputError: it has results.
    """
    raise NotImplementedError


def tournament_open(*, tournament: int, actor: User | None) -> None:
    """Announce a draft: everybody who sees the contest sees it, and bots can be entered.

    Raises:
        InputError: it is no draft, or has no stages or stages that cannot be played.
    """
    raise NotImplementedError


def tournament_draw(*, tournament: int, actor: User | None) -> Tournament:
    """Fix the entrants, their versions and seed numbers, and pair the first round.

    ``tournaments.selectors.tournaments.draw_preview`` shows the same without writing.

    Raises:
        InputError: it has been drawn already or is no open tournament, it has too few entrants, or its stages cannot be
            played by so many.
    """
    raise NotImplementedError


def tournament_draw_take_back(*, tournament: int, actor: User | None, reason: str = "") -> None:
    """Take the draw back, as long as no match has a result: it is open again, with other lots for the next draw.

    Raises:
        InputError: it is not drawn, or has a result.
    """
    raise NotImplementedError


def tournament_start(*, tournament: int, actor: User | None) -> None:
    """Start a drawn tournament: its matches are made from now on.

    Raises:
        InputError: it is not drawn, or its contest is archived.
    """
    raise NotImplementedError


def tournament_pause(*, tournament: int, actor: User | None, reason: str) -> None:
    """Pause a running tournament: matches under way end, and nothing new is made.

    Args:
        tournament: its primary key.
        actor: an organiser or administrator; None: the command line.
        reason: shown to everybody who sees the tournament; at most 500 characters, not empty.

    Raises:
        InputError: it does not run, or the reason is missing or too long.
    """
    raise NotImplementedError


def tournament_resume(*, tournament: int, actor: User | None) -> None:
    """Let a paused tournament go on. Matches that were void too often are tried again.

    Raises:
        InputError: it is not paused.
    """
    raise NotImplementedError


def tournament_release(*, tournament: int, actor: User | None) -> None:
    """Tell everybody all results of a finished tournament, for good.

    Raises:
        InputError: it is not finished, or everything about it is public already.
    """
    raise NotImplementedError


def round_release(*, tournament: int, actor: User | None) -> None:
    """Tell everybody the results of the first round whose results are hidden.

    Raises:
        InputError: results are not released by round, no round is hidden, or that round is still being played.
    """
    raise NotImplementedError
