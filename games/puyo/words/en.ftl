title = Puyo Puyo
chain = { $bot } sets off a chain of { $steps }: { points }.
all_clear = { $bot } has an all clear: its next chain sends 30 more.
garbage =
    { $puyos ->
        [one] { $puyos } garbage puyo falls on { $bot }.
       *[other] { $puyos } garbage puyos fall on { $bot }.
    }
danger = { $bot } has hardly any room left.
lead = { $bot } takes the lead with { points }.
no_room = { $other } has no room left
no_room_at_all = neither of them has any room left
points =
    { $points ->
        [one] { $points } point
       *[other] { $points } points
    }
no_numbers = The answer is { $answer }, but a column and a rotation, such as 2 0, are expected.
out_of_range = The answer is { $answer }, but columns go from 0 to { $most } and rotations from 0 to 3.
beyond_edge = With { $answer } a part of the pair would lie beyond the edge of the field.
unreachable = The pair cannot be brought to { $answer }: the columns are { $heights } high.


## Rulesets and options

ruleset-tsu = Tsu
ruleset-smash_the_code = Smash the Code, with scores in the questions
ruleset-smash_the_code_contest = Smash the Code, as in the contest of 2016


## Words of the viewer

viewer-garbage_waits = Garbage to come
viewer-chain = Chain
viewer-empty = empty
viewer-garbage = garbage
viewer-red = red
viewer-yellow = yellow
viewer-green = green
viewer-blue = blue
viewer-purple = purple


## A player's table

input-screen = Both fields. The text board below tells the same in words.
input-ready = Ready?
input-paused = Paused
input-start = Start
input-go_on = Go on
input-pace = Pace
input-slow = Slow
input-normal = Normal
input-fast = Fast
input-keys = ← → move, Z and X or ↑ turn, ↓ fall faster, space drop, P pause. With the mouse: point, click, and turn with the right button.
input-touch = Drag to move, tap to turn to that side, pull down to fall faster, flick down to drop.
input-left = Left
input-right = Right
input-turn_left = Turn left
input-turn_right = Turn right
input-soft = Fall faster
input-hard = Drop
input-pause = Pause
input-next = Next
input-no_room = The pair does not fit there.
input-chain = { $steps }-chain!
input-all_clear = All clear!
input-pair = Pair: { $child } above { $axis }; next: { $next_child } above { $next_axis }.
input-chain_told = { $name }: a chain of { $steps }.
input-coming_told =
    { $puyos ->
        [one] { $puyos } garbage puyo is to come.
       *[other] { $puyos } garbage puyos are to come.
    }
input-garbage = garbage
input-red = red
input-yellow = yellow
input-green = green
input-blue = blue
input-purple = purple
