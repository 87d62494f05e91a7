"""What the page of a game shows apart from its words; the same in every language."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from games.guide.conversation import Script
from games.guide.drawing import Figure


@dataclass(frozen=True, slots=True)
class Material:
    """Of one game."""

    figures: Mapping[str, Callable[[], Figure]]
    """Drawings by name, each made from positions of the core."""
    script: Script
    facts: Mapping[str, object]
    """Numbers of the rules by name, taken from the code that plays by them."""
