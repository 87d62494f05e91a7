"""What a game's package imports from Banzuke: ``from banzuke.sdk import Game, IllegalAnswer, event``.

This name is the same in the source tree, from which an arena runs, and in the wheel, where ``core`` and ``games`` lie
inside of ``banzuke``. The classes and functions are explained where they are defined.
"""

from __future__ import annotations

from core.batch import seat_out, select_boards
from core.commentary import event, lead_changed, lead_taken, leader
from core.game import (
    Actions,
    BadOptions,
    BadRequest,
    Choices,
    Event,
    Game,
    IllegalAnswer,
    JsonObject,
    quoted,
    read_options,
)
from core.message import Message, bot, said
from core.replay import encode
from core.seeding import between, draws, draws_of_each
from core.simple import SimpleGame
from games.guide.conversation import Question, Script
from games.guide.drawing import BoardDrawing, Cell, Figure, Place, board_of
from games.guide.material import Material
from games.openspiel import OpenSpielGame
from games.picture import Square
from games.replays import verify

__all__ = [
    "Actions",
    "BadOptions",
    "BadRequest",
    "BoardDrawing",
    "Cell",
    "Choices",
    "Event",
    "Figure",
    "Game",
    "IllegalAnswer",
    "JsonObject",
    "Material",
    "Message",
    "OpenSpielGame",
    "Place",
    "Question",
    "Script",
    "SimpleGame",
    "Square",
    "between",
    "board_of",
    "bot",
    "draws",
    "draws_of_each",
    "encode",
    "event",
    "lead_changed",
    "lead_taken",
    "leader",
    "quoted",
    "read_options",
    "said",
    "seat_out",
    "select_boards",
    "verify",
]
