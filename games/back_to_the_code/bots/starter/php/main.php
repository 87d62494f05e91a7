<?php
// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.

const WIDTH = 35;
const HEIGHT = 20;

/**
 * Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
 *
 * $round: from 1, it drops when somebody goes BACK. $players: [x, y, back] of you, then of the others; back is 1 while
 * the BACK is left, (-1, -1) is out of the match. $rows[y][x]: "." neutral, "0" yours, else the number of its owner.
 * (0, 0) is the top left cell.
 */
function decide(int $round, array $players, array $rows): string
{
    [$myX, $myY] = $players[0];
    $best = "$myX $myY";
    $nearest = WIDTH + HEIGHT;
    for ($y = 0; $y < HEIGHT; $y++) {
        for ($x = 0; $x < WIDTH; $x++) {
            $steps = abs($x - $myX) + abs($y - $myY);
            if ($rows[$y][$x] === "." && $steps < $nearest) {
                $best = "$x $y";
                $nearest = $steps;
            }
        }
    }
    return $best;
}

/** Return the next line; end the program with the match. */
function line(): string
{
    $line = fgets(STDIN);
    if ($line === false) exit;
    return rtrim($line, "\n");
}

$count = 1 + (int) line();
while (true) {
    $round = (int) line();
    $players = $rows = [];
    for ($i = 0; $i < $count; $i++) $players[] = array_map("intval", explode(" ", line()));
    for ($y = 0; $y < HEIGHT; $y++) $rows[] = line();
    echo decide($round, $players, $rows), "\n";
}
