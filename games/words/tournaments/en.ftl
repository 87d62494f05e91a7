# What tournaments say on pages and at home; the viewer of a match needs none of it.


## Tournaments

tournament-no-game = This arena does not play the game of its contest any more.
tournament-not-started = It could not start at its time: { $why }
tournament-match-failing = Our platform failed to play a match at table { $table } of the newest round, { $times } times so far. The last time: { $why } Organisers can let the tournament go on: then it is tried again.
tournament-match-by-hand = The organisers have decided the table of this match.
tournament-match-forfeit = A bot at the table of this match plays no more, so it is not needed.
tournament-match-redrawn = The draw of its tournament was taken back.


## Tournaments: why these meet (in the organisers' preview of a draw)

tournament-why-berger = Round { $round } of { $rounds } of the Berger table for { $members } entrants{ $cycles ->
    [one] .
   *[other] , cycle { $cycle } of { $cycles }.
}
tournament-why-combination = Round { $round } of { $rounds }, in which each { $size } of { $members } entrants meet once{ $cycles ->
    [one] .
   *[other] , cycle { $cycle } of { $cycles }.
}
tournament-why-seeding = By the seeding: the best seed meets the weakest, and the best seeds meet one another late.
tournament-why-bye-seed = A bye: the field does not fill the bracket, and the best seeds go on without a match.
# $how_a, $how_b: won or lost.
tournament-why-arrivals = { $how_a ->
    [won] The winner
   *[lost] The loser
} of table { $table_a } of round { $round_a } meets { $how_b ->
    [won] the winner
   *[lost] the loser
} of table { $table_b } of round { $round_b }.
# $tables: numbers with commas between them.
tournament-why-winners = The winners of tables { $tables } of round { $round } meet.
tournament-why-bye-losers = A bye: { $how ->
    [won] the winner
   *[lost] the loser
} of table { $table } of round { $round } has no opponent at this place of the losers' bracket.
tournament-why-final = The final: the winner of the winners' bracket meets the winner of the losers' bracket.
tournament-why-reset = The deciding match: both finalists have lost once.
tournament-why-third = The match for the third place: the losers of the semi-finals meet.
# $numbers: which of those with equal points, by seed, with commas between them.
tournament-why-swiss = All have { $points } { $points ->
    [one] point
   *[other] points
}: numbers { $numbers } of the { $count } entrants with as many, by seed.
# $points: numbers with commas between them.
tournament-why-swiss-floats = They have { $points } points: not everybody can meet somebody with equal points whom it has not met.
tournament-why-bye-swiss = A bye with the points of a win: the field does not fill the tables, and this entrant has { $points } { $points ->
    [one] point
   *[other] points
} and has had no bye yet, as far as possible.


## Tournaments: faults of their stages

tournament-fault-stages = A tournament has 1 to { $most } stages, not { $count }: add or remove stages.
tournament-fault-entrants = A tournament has { $least } to { $most } entrants, not { $count }: add or remove entrants.
tournament-fault-table-size = Stage { $stage } has tables of { $size }, which this contest's game cannot play: choose { $sizes }.
tournament-fault-double-size = Stage { $stage } is a double elimination, which is played at tables of 2, not of { $size }: choose tables of 2, or single elimination.
tournament-fault-third-place = Stage { $stage } has no match for the third place: only single elimination at tables of 2 can have one.
# $what: best-of, extra, rounds, groups or cycles.
tournament-fault-limit = { $what ->
    [best-of] The number of encounters at a table
    [extra] The number of extra encounters
    [rounds] The number of rounds
    [groups] The number of groups
   *[cycles] The number of cycles
} of stage { $stage } is { $value }: choose a number from { $least } to { $most }.
tournament-fault-last-goes-on = Stage { $stage } is the last one, but { $count } would go on from it: enter 0, or add a stage.
tournament-fault-goes-on-few = { $count ->
    [0] Nobody would
    [one] Only { $count } entrant would
   *[other] { $count } entrants would
} go on from stage { $stage }, which is not the last one: enter at least 2, or remove the later stages.
tournament-fault-goes-on-many = { $count } entrants would go on from stage { $stage }, but it has only { $members }: let fewer go on.
tournament-fault-few = Stage { $stage } has { $members } entrants, but a table needs { $size }: choose smaller tables, or more entrants.
tournament-fault-groups-small = Stage { $stage } deals { $members } entrants into { $groups } groups, but each group needs at least { $size }: choose fewer groups.
tournament-fault-combinations = In stage { $stage } each { $size } of a group meet, which makes { $count } tables; at most { $most } are possible: choose more groups, or a Swiss.
tournament-fault-swiss-rounds = Stage { $stage } has { $rounds } rounds for { $members } entrants, who would have to meet twice: choose at most { $members } minus 1 rounds, or a round robin.
tournament-fault-bracket = Stage { $stage } cannot fill tables of { $size } with { $members } entrants: let { $fewer } or { $more } play, or choose tables of another size.
tournament-fault-matches = The tournament would need { $count } matches; at most { $most } are possible: choose fewer entrants, rounds, cycles or encounters.
