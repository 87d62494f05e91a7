title = Back to the Code
enclosed = { $bot } closes a ring: { cells }.
cells =
    { $cells ->
        [one] { $cells } cell
       *[other] { $cells } cells
    }
lead = { $bot } takes the lead with { cells }.
rings = { $bot } closed { $rings } rings in all: { cells }.
more-points = { $points ->
        [one] { $points } cell
       *[other] { $points } cells
    } to { $other } by { $second }
equal-points = { $points ->
        [one] { $points } cell
       *[other] { $points } cells
    } each
back = { $bot } goes BACK to round { $round }; { cells } set free.
back_wasted = { $bot } goes BACK in the first round: spent for nothing.
settled = The ranking can no longer change: one more turn is played.
no_order = The answer is { $answer }, but x y or BACK k is expected.
back_too_far = The answer is BACK { $rounds }, but 1 to { $most } are allowed.
second_back = The answer is a second BACK, but each seat has only one in a match.
off_board = The answer has { $axis } = { $value }, but { $axis } must lie between 0 and { $most }.


## Rulesets and options

ruleset-contest = As in the contest
option-width = Width of the board
option-height = Height of the board
option-rounds = Rounds


## Words of the viewer

viewer-back_left = BACK left
viewer-area = area of
viewer-agent = agent
viewer-neutral = neutral


## Words of a player's input

input-choose_step = Step, or choose where to walk.
input-here = You are on { $cell }.
input-walking = On the way to { $cell } …
input-choose_back = { $rounds } rounds back: the board shows it.
input-step = Step to { $cell }
input-stay = Stay
input-stop = Stop
input-back = Back in time …
input-rounds = Rounds to go back
input-go_back = Go back { $rounds }
input-cancel = Cancel
input-keys = arrows, keypad or W A S D: step · Space: stay · B: back in time · Backspace: stop
