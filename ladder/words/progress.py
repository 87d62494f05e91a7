"""The progress of an upload as its owner sees it: four steps, each waiting, busy, done or bad."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from ladder.models import BotVersion

State = BotVersion.State

_STEPS: tuple[Promise, ...] = (_("Checked"), _("Built"), _("Check match played"), _("Active"))
_CHECKED, _BUILT, _PLAYED, _ACTIVE = 0, 1, 2, 3
_STEP_OF_BUILD = {"check": _PLAYED}
"""The index of a progress step by ``BotVersion.step``; fetch, unpack and compile belong to ``_BUILT``."""

FINAL_STATES = frozenset({*BotVersion.ON_BOARD, State.REJECTED, State.FAILED, State.RETIRED})


@dataclass(frozen=True, slots=True)
class ProgressStep:
    """One step of the progress list."""

    title: Promise
    state: str
    """One of waiting, busy, done, bad."""


def progress_steps(version: BotVersion) -> list[ProgressStep]:
    """Return the four steps from the upload of a version to the board, with their states."""
    reached, state = _reached(version)
    states = ["done"] * reached + [state] + ["waiting"] * (len(_STEPS) - reached - 1)
    return [ProgressStep(title, state) for title, state in zip(_STEPS, states, strict=True)]


def _reached(version: BotVersion) -> tuple[int, str]:
    """Return the index of the step that a version has reached, and the state of that step."""
    at = _STEP_OF_BUILD.get(version.step, _BUILT) if version.bundle_digest else _CHECKED
    if version.state == State.ACTIVE or version.activated_at is not None:
        return _ACTIVE, "done"
    if version.state in (State.REJECTED, State.FAILED):
        return at, "bad"
    return at, "busy" if version.state in (State.RECEIVED, State.BUILDING) else "waiting"
