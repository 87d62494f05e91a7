title = Kakomimasu
enclosed = { $bot } closes a ring: { cells }, { points }.
lost = { $bot } loses area: { cells }, { points }.
lead = { $bot } takes the lead with { points }.
rings = { $bot } closed { $rings } rings in all: { cells }, { points }.
tie-broken = { points } each, but more of them in walls
cells =
    { $cells ->
        [one] { $cells } cell
       *[other] { $cells } cells
    }
points =
    { $points ->
        [one] { $points } point
       *[other] { $points } points
    }
line_each =
    { $count ->
        [one] { $count } line was answered, but one for each of the { $agents } agents is expected.
       *[other] { $count } lines were answered, but one for each of the { $agents } agents is expected.
    }
no_order = Line { $line } of the answer is { $answer }, but PUT x y, MOVE x y, REMOVE x y or NONE is expected.


## Rulesets and options

ruleset-present = Enclosure as today
ruleset-2020 = Enclosure of 2020
option-board = Published board
option-agents = Agents of each bot
option-turns = Turns


## Words of the viewer

viewer-walls = Walls
viewer-areas = Areas
viewer-wall = wall of
viewer-area = area of
viewer-agent = agent


## Words of a player's input

input-choose_put = Agent { $agent }: choose its cell.
input-choose_cell = Agent { $agent }: move, remove a wall, or stay.
input-choose_remove = Agent { $agent }: which wall does it remove?
input-ready = All agents have orders.
input-conflict = Agents { $agents } have the same target: none of them gets it.
input-blocked = Agent { $agent } is sent onto an agent that stays: it cannot go there.
input-put = Agent { $agent } is put on { $cell } ({ $points } points)
input-move = Agent { $agent } moves to { $cell } ({ $points } points)
input-remove_wall = Agent { $agent } removes the wall on { $cell } ({ $points } points)
input-none = Agent { $agent } stays
input-agent_number = Agent { $agent }
input-shift = Shift the cell
input-next_agent = Next agent
input-removing = A wall is to be removed.
input-moving = The agent is to move.
input-undone = Taken back.
input-remove = Remove
input-undo = Undo
input-send = Send
input-send_rest = Send, { $count } stay
input-keys = digits: agent · Space: next · arrows, keypad or QWE ASD ZXC: cell · R: remove · Enter: send
