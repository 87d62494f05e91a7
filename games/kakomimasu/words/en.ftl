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
