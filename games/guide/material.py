"""The material of a game's guide page besides its text; the same in all languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from games.guide.conversation import Script
from games.guide.drawing import Figure


@dataclass(frozen=True, slots=True)
class Material:
    """The material of the guide page of one game."""

    figures: Mapping[str, Callable[[], Figure]] = field(default_factory=dict)
    """Functions that return the figures, by name."""
    script: Script | None = None
    """The match from which the page shows questions and answers; None: it shows none."""
    facts: Mapping[str, object] = field(default_factory=dict)
    """Numbers of the rules by name, read from the code of the game."""
