"""The rules in plain Python, written for clarity from their text alone; tests compare the fast rules with them.

No numpy, and nothing of the core.
"""

from __future__ import annotations

from dataclasses import dataclass, field

PANELS = range(1, 26)
COLOURS = "RGWB"
DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]
LAST_EMPTY = 5
"""Number of empty panels at which the Attack Chance comes."""
FAULTS_MAX = 3

Board = dict[int, int]
"""Owner by panel; empty panels are missing."""


def rays(panel: int) -> list[list[int]]:
    """Return the panels in each direction from a panel to the edge of the board."""
    row, column = divmod(panel - 1, 5)
    found = []
    for dy, dx in DIRECTIONS:
        ray = []
        y, x = row + dy, column + dx
        while 0 <= y < 5 and 0 <= x < 5:
            ray.append(5 * y + x + 1)
            y, x = y + dy, x + dx
        found.append(ray)
    return found


RAYS = {panel: rays(panel) for panel in PANELS}


def run(board: Board, colour: int, ray: list[int]) -> tuple[list[int], int | None]:
    """Return the panels of other colours at the beginning of a ray, and the panel behind them.

    That panel is empty or of this colour; None if the edge of the board comes first.
    """
    passed: list[int] = []
    for panel in ray:
        if board.get(panel, colour) == colour:
            return passed, panel
        passed.append(panel)
    return passed, None


def flips(board: Board, colour: int, panel: int) -> set[int]:
    """Return the panels that turn over when a colour takes an empty panel."""
    runs = [run(board, colour, ray) for ray in RAYS[panel]]
    return {passed for run_, end in runs if board.get(end or 0) == colour for passed in run_}


def prepares(board: Board, colour: int, panel: int) -> bool:
    """Return whether in some direction from a panel there are panels of other colours, and an empty one behind them."""
    runs = [run(board, colour, ray) for ray in RAYS[panel]]
    return any(passed and end is not None and end not in board for passed, end in runs)


def legal(board: Board, colour: int) -> tuple[int, list[int]]:
    """Return the class of the panels that a colour may take, and these panels."""
    if not board:
        return 0, [13]
    empty = [panel for panel in PANELS if panel not in board]
    classes = [
        (1, [panel for panel in empty if flips(board, colour, panel)]),
        (2, [panel for panel in empty if prepares(board, colour, panel)]),
        (3, [panel for panel in empty if any(ray and ray[0] in board for ray in RAYS[panel])]),
    ]
    return next((found for found in classes if found[1]), classes[-1])


def take(board: Board, colour: int, panel: int) -> None:
    """Take a panel, in place."""
    board.update(dict.fromkeys([panel, *flips(board, colour, panel)], colour))


@dataclass
class Match:
    """A whole match: call ``bid`` and ``pick`` alternately; in order mode set order and chips and call ``pick``."""

    order: list[int]
    """The colours in the order in which they win ties, the first before all others."""
    board: Board = field(default_factory=dict)
    takes: int = 0
    chips: list[int] = field(default_factory=list)
    faults: list[int] = field(default_factory=list)
    bids: list[int] = field(default_factory=list)
    """The bids of the last auction."""
    last: str = "0 -"
    """Panel and colour of the last take."""
    erased: str = ""

    def __post_init__(self) -> None:
        self.chips = [100 for _ in self.order]
        self.faults = [0 for _ in self.order]
        self.bids = [0 for _ in self.order]

    @property
    def chance(self) -> bool:
        """Whether this round is the Attack Chance."""
        return self.takes == len(PANELS) - LAST_EMPTY

    def bid(self, bids: list[int | None]) -> int:
        """Play an auction, with None for an invalid bid; return the winner."""
        for colour, bid in enumerate(bids):
            if self.faults[colour] < FAULTS_MAX:
                self.faults[colour] += bid is None
            else:
                bids[colour] = 0
        valid = [bid or 0 for bid in bids]
        tied = [colour for colour in self.order if valid[colour] == max(valid)]
        winner = tied[0]
        if len(tied) > 1:
            self.order.remove(winner)
            self.order.append(winner)
        self.chips[winner] -= valid[winner]
        self.bids = valid
        return winner

    def pick(self, colour: int, answer: tuple[int, int] | None) -> None:
        """Take a panel and, in the Attack Chance, empty one (else 0); an answer of None is an invalid one."""
        silent = self.faults[colour] >= FAULTS_MAX
        if answer is None and not silent:
            self.faults[colour] += 1
        panel, erased = (None if silent else answer) or (min(legal(self.board, colour)[1]), None)
        take(self.board, colour, panel)
        self.last, self.erased = f"{panel} {COLOURS[colour]}", ""
        if self.chance:
            goes = erased or self.emptied(colour)
            del self.board[goes]
            self.erased = f" {goes}"
        self.takes += 1

    def emptied(self, colour: int) -> int:
        """Return the panel that is emptied if the winner names none."""
        others = [panel for panel, owner in self.board.items() if owner != colour]
        return max(others or self.board)

    def round_lines(self) -> list[str]:
        """Return the lines that all seats get at the beginning of a round."""
        tiles = "".join(COLOURS[self.board[panel]] if panel in self.board else "." for panel in PANELS)
        return [
            f"BID {self.takes + 1} {int(self.chance)}",
            *(tiles[start : start + 5] for start in range(0, 25, 5)),
            " ".join(map(str, self.chips)),
            " ".join(COLOURS[colour] for colour in self.order),
            f"{self.last} {' '.join(map(str, self.bids))}{self.erased}",
        ]

    def pick_line(self, colour: int) -> str:
        """Return the line that the winner gets."""
        class_, panels = legal(self.board, colour)
        return f"PICK {self.takes + 1} {int(self.chance)} {class_} {','.join(map(str, panels))}"
