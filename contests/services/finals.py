"""The stages of a frozen contest on its way to the signed final board."""

from __future__ import annotations

from django.utils import timezone

from common.errors import IllegalTransition
from contests.models import Contest

Stage = Contest.FinalStage
_NEXT: dict[str, set[str | None]] = {
    # Until the freeze, and in contests that an older version of the arena has frozen.
    "": {None, Stage.BUILDING, Stage.PLAYING, Stage.FITTING},
    Stage.BUILDING: {None, Stage.PLAYING, Stage.FITTING},
    # An upload whose request came in time may be stored, or a lost program built again, while others play already.
    Stage.PLAYING: {None, Stage.BUILDING, Stage.FITTING},
    Stage.FITTING: {None, Stage.SIGNED},
    Stage.SIGNED: {None},
}


def final_transition(*, contest: Contest, to: Stage | None) -> None:
    """Set the stage of a contest in ``contest``, which the caller has locked and saves; no other code writes the stage.

    ``to`` is None when the contest is opened again, so that it is in no finals any more.

    Raises:
        IllegalTransition: a contest cannot get from its stage to this one.
    """
    if to not in _NEXT[contest.final_stage]:
        raise IllegalTransition(f"The finals of {contest.slug} cannot go from {contest.final_stage} to {to}.")
    contest.final_stage = to or ""
    contest.final_since = timezone.now() if to else None
