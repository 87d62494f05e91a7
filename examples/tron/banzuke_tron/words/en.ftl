title = Tron
ruleset-normal = The usual grid
ruleset-small = A small grid

into-wall = { $bot } crashes into the wall.
into-own-trail = { $bot } crashes into its own trail.
into-trail = { $bot } crashes into the trail of { $other }.
head-on =
    { $count ->
        [2] { $bot } and { $other } crash head-on.
        [3] { $bot }, { $other } and { $third } crash head-on.
       *[4] { $bot }, { $other }, { $third } and { $fourth } crash head-on.
    }
last-two = { $bot } and { $other } are the last two.

rides-last =
    { $cells ->
        [one] it rides last, { $cells } cell long
       *[other] it rides last, { $cells } cells long
    }
crashed-together = they crashed in the same turn

no-direction = The answer is { $answer }, but UP, RIGHT, DOWN or LEFT is expected.

viewer-space = Space
viewer-free = free
viewer-trail = trail of
viewer-head = head of
viewer-start = start of
viewer-crash = crash of
