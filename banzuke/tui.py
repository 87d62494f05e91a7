"""Shows the frames of a match in the terminal, and steps through them by keys."""

from __future__ import annotations

import curses
import os
import sys
import time
from dataclasses import dataclass
from itertools import accumulate

from banzuke.frames import Frames
from banzuke.text import columns

FRAME_MS = 150
"""The time between two frames while the match is played."""
SKIP_SECONDS = 0.1
"""How long frames are skipped before the next check of the keys."""
NEXT = (curses.KEY_RIGHT, ord(" "), ord("l"))
BACK = (curses.KEY_LEFT, ord("h"))
FIRST = (curses.KEY_HOME, ord("g"))
LAST = (curses.KEY_END, ord("G"))
PLAY, QUIT = ord("p"), ord("q")
NO_KEY = -1
HELP = "→ ← step   p play   g G ends   ↑ ↓ scroll   q quit"
# Colours of the characters of a board: most games use A B C D and 0 1 2 3 for seats, R G B W for colours.
COLOURS = {curses.COLOR_RED: "AaR1", curses.COLOR_BLUE: "Bb4", curses.COLOR_GREEN: "CcG3", curses.COLOR_YELLOW: "DdW2"}


@dataclass
class View:
    """Which part of which frame is shown, and whether the view moves on by itself."""

    frames: Frames
    number: int = 0
    top: int = 0
    """The first line shown."""
    playing: bool = False
    skipping: bool = False
    """Whether the view moves to the last frame; a live match must be played for that."""

    @property
    def wait_ms(self) -> int:
        """How many milliseconds to wait for a key; -1: without a limit."""
        return 0 if self.skipping else FRAME_MS if self.playing else -1

    def press(self, key: int) -> bool:
        """Handle a key (``NO_KEY``: none was pressed in time); return False to leave."""
        if key in LAST or (key == NO_KEY and self.skipping):
            until, moved = time.monotonic() + SKIP_SECONDS, True
            while moved and time.monotonic() < until:
                before = self.number
                self._step(1)
                moved = self.number != before
            self.skipping = moved
            return True
        self.skipping = False
        if key in NEXT:
            self._step(1)
        elif key in BACK:
            self._step(-1)
        elif key == NO_KEY and self.playing:
            self._step(1, playing=True)
        elif key in FIRST:
            self._step(-sys.maxsize)
        elif key == PLAY:
            self.playing = not self.playing
        elif key in (curses.KEY_UP, curses.KEY_DOWN):
            self.top = max(0, self.top + (1 if key == curses.KEY_DOWN else -1))
        return key != QUIT

    def _step(self, by: int, *, playing: bool = False) -> None:
        before = self.number
        self.number = self.frames.reach(self.number + by)
        self.playing = playing and self.number != before


def show(window: curses.window, frames: Frames) -> None:
    """Show frames until the user leaves or the terminal is closed."""
    paint = _paint()
    curses.curs_set(0)
    view = View(frames)
    going = True
    while going:
        _draw(window, view, paint)
        window.timeout(view.wait_ms)
        key = window.getch()
        gone = key == NO_KEY and not sys.stdin.isatty()  # a closed terminal never waits for a key
        going = view.press(key) and not gone


def _paint() -> dict[str, int]:
    """Return the attribute of each coloured character; empty if the user wants no colours (https://no-color.org)."""
    if os.environ.get("NO_COLOR") or not curses.has_colors():
        return {}
    curses.use_default_colors()
    for colour in COLOURS:
        curses.init_pair(colour, colour, -1)
    return {character: curses.color_pair(colour) for colour, known in COLOURS.items() for character in known}


def _fitting(line: str, width: int) -> str:
    """Return the beginning of a line that fits into this many columns."""
    ends = accumulate(map(columns, line[:width]))  # characters take at least one; a replay may hold long lines
    return line[: sum(end <= width for end in ends)]


def _draw(window: curses.window, view: View, paint: dict[str, int]) -> None:
    window.erase()
    height, width = window.getmaxyx()
    for y, line in enumerate(view.frames[view.number].split("\n")[view.top :][: height - 1]):
        window.addstr(y, 0, _fitting(line, width - 1))
        # A row of a board has no spaces, and boards that are shown side by side have two between them.
        board = " " not in line.replace("  ", "")
        for x, character in enumerate(line[: width - 1] if board else ""):
            window.addstr(y, x, character, paint.get(character, 0))
    window.addnstr(height - 1, 0, HELP, width - 1, curses.A_REVERSE)
    window.refresh()
