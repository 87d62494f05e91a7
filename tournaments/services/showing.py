"""Releases results as a hall is shown them."""

from __future__ import annotations

from accounts.models import User
from tournaments.models import Tournament
from tournaments.selectors.show import Step, StepKind
from tournaments.services.tournaments import round_release, tournament_release


def shown_release(*, tournament: Tournament, shown: Step, actor: User | None) -> None:
    """Release the results that a hall knows after a step of the show; without effect if they are public.

    A tournament that tells its results at its end is released with the first place, and not before. The actor is an
    organiser or administrator, which the caller has checked.

    Raises:
        InputError: they cannot be released now; the text says why.
    """
    if shown.kind == StepKind.PODIUM:
        if shown.releases and tournament.state != Tournament.State.RELEASED:
            tournament_release(tournament=tournament.pk, actor=actor)
        return
    if tournament.results != Tournament.Results.BY_ROUND or not shown.releases:
        return
    known = tournament.rounds.filter(released_at=None).order_by("stage", "number")
    for each in known:
        if (each.stage, each.number) <= (shown.stage, shown.round):
            round_release(tournament=tournament.pk, actor=actor, wanted=each.pk)
