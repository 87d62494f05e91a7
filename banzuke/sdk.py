"""What a game's package imports from Banzuke: ``from banzuke.sdk import Game, IllegalAnswer, event``.

This name is the same in the source tree, from which an arena runs, and in the wheel, where ``core`` and ``games`` lie
inside of ``banzuke``. The classes and functions are explained where they are defined.
"""

from __future__ import annotations

from core.batch import seat_out as seat_out
from core.batch import select_boards as select_boards
from core.commentary import event as event
from core.commentary import lead_changed as lead_changed
from core.commentary import lead_taken as lead_taken
from core.commentary import leader as leader
from core.game import Actions as Actions
from core.game import BadOptions as BadOptions
from core.game import BadRequest as BadRequest
from core.game import Choices as Choices
from core.game import Event as Event
from core.game import Game as Game
from core.game import IllegalAnswer as IllegalAnswer
from core.game import JsonObject as JsonObject
from core.game import quoted as quoted
from core.game import read_options as read_options
from core.message import Message as Message
from core.message import bot as bot
from core.message import said as said
from core.replay import encode as encode
from core.seeding import between as between
from core.seeding import draws as draws
from core.seeding import draws_of_each as draws_of_each
from core.simple import SimpleGame as SimpleGame
from games.guide.conversation import Question as Question
from games.guide.conversation import Script as Script
from games.guide.drawing import BoardDrawing as BoardDrawing
from games.guide.drawing import Cell as Cell
from games.guide.drawing import Figure as Figure
from games.guide.drawing import Place as Place
from games.guide.drawing import board_of as board_of
from games.guide.material import Material as Material
from games.openspiel import OpenSpielGame as OpenSpielGame
from games.picture import Square as Square
from games.replays import verify as verify
