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
