"""The material of a game's guide page besides its text; the same in all languages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.guide.conversation import Script
from games.guide.drawing import Figure


@dataclass(frozen=True, slots=True)
class Material:
    """The material of the guide page of one game."""

    figures: Mapping[str, Callable[[], Figure]]
    """Functions that return the figures, by name."""
    script: Script
    """The match from which the page shows questions and answers."""
    facts: Mapping[str, object]
    """Numbers of the rules by name, read from the code of the game."""
