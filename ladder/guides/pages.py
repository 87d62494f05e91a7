"""Finds the pages of games: ``games/<game>/guide/<file>`` is that file of the folder ``guide`` in a game's package."""

from __future__ import annotations

import re
from collections.abc import Iterator

from django.template import Origin
from django.template.loaders import filesystem

from games.registry import folder_of

_NAME = re.compile(r"games/(\w+)/guide/([\w-]+\.html)")


class Loader(filesystem.Loader):
    """Loads the templates of guides."""

    def get_template_sources(self, template_name: str) -> Iterator[Origin]:
        """Yield where the template lies, if the name is that of a guide of an installed game."""
        found = _NAME.fullmatch(template_name)
        folder = folder_of(found[1]) if found else None
        if found and folder:
            yield Origin(name=str(folder / "guide" / found[2]), template_name=template_name, loader=self)
