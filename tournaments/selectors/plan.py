"""What the stages of a tournament mean: rounds and matches for a number of entrants."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from formats.model import KNOCKOUTS, Stage
from formats.stages import matches_most, rounds_count


@dataclass(frozen=True, slots=True)
class StagePlan:
    """How many entrants, rounds and matches a stage will have."""

    stage: Stage
    entrants: int
    rounds: int
    matches: int
    """How many matches the stage has; of a knockout, the most it can have without extra matches after ties."""

    @property
    def is_most(self) -> bool:
        """Whether it may have fewer matches."""
        return self.stage.format in KNOCKOUTS


def stages_plan(*, stages: Sequence[Stage], entrants: int) -> list[StagePlan]:
    """Return how large each stage will be if the first one has ``entrants`` (no query).

    The caller has checked that the stages have no faults (``formats.stages.stages_faults``).
    """
    plans, playing = [], entrants
    for stage in stages:
        rounds, matches = (count(stage=stage, entrants=playing) for count in (rounds_count, matches_most))
        plans.append(StagePlan(stage, playing, rounds, matches))
        playing = stage.goes_on
    return plans
