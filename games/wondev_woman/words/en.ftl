title = Wondev Woman
lead = { $bot } takes the lead with { points }.
push =
    { $times ->
        [one] { $bot } pushed a unit of { $other } away.
       *[other] { $bot } pushed units of { $other } away { $times } times in a row.
    }
blocked =
    { $times ->
        [one] { $bot } met a hidden unit: nothing was built.
       *[other] { $bot } met hidden units { $times } times in a row: nothing was built.
    }
point =
    { $times ->
        [one] { $bot } climbed to the top: { points }.
       *[other] { $bot } climbed to the top { $times } times in a row: { points }.
    }
top = it stands on the top
accepts_defeat = it accepts defeat
cannot_act = it has no legal action left
last_chance = { $bot } has a single legal action left.
points =
    { $points ->
        [one] { $points } point
       *[other] { $points } points
    }
no_action = The answer is { $answer }, but an action such as MOVE&BUILD 0 N SW is expected.
no_unit = There is no unit { $unit }: the first one is 0.
illegal_action = { $action } is not legal. { $why }

# Reasons why an action is not legal: the codes of the contest's referee.
InvalidCommand = This league has no PUSH&BUILD.
BadCoords = There is no cell to move to.
InvalidMove = The cell to move to is more than one level higher.
MoveTooHigh = The cell to move to has height 4 and is out of play.
MoveOnUnit = A unit stands on the cell to move to.
InvalidPlace = There is no cell to build on.
PlaceTooHigh = The cell to build on has height 4 and is out of play.
PlaceOnUnit = A unit stands on the cell to build on.
PushInvalid = A push goes straight on or to one side of that, to a cell at most one level higher and in play.
PushVoid = Nobody is there to be pushed.
FriendlyFire = A unit of the own team cannot be pushed.
PushOnUnit = A unit stands on the cell to push to.


## Rulesets and options

ruleset-league3 = League 3: fog
ruleset-league2 = League 2: two units each, and pushes
ruleset-league1 = League 1: one unit each, for points
ruleset-league0 = League 0: one unit each, first on the top wins
option-map = Map
option-symmetric = Mirrored starts
option-java_seed = Seed of the contest's generator


## Words of the viewer

viewer-legal_actions = Legal actions
viewer-height = height
viewer-closed = closed
viewer-no_cell = no cell
viewer-unit = unit
viewer-hidden = hidden


## Words of a player's input

input-choose_unit = Your turn: choose a unit.
input-choose_move = Where does { $unit } move?
input-choose_move_or_push = Where does { $unit } move or push?
input-choose_build = Moves to { $cell }. Where does it build?
input-choose_push = Pushed which way?
input-no_action_left = No action is possible any more.
input-accept_defeat = Accept defeat
input-unit_number = Unit { $unit }
input-undo = Undo
input-keys = 1, 2: unit · arrows, keypad or QWE A D ZXC: neighbour · Backspace: undo
