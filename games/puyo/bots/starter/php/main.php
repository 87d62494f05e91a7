<?php
// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.

const COLUMNS = 6;
const ROWS = 13;
const SPAWN = 2;

class Side
{
    public array $pairs = [];  // colours of axis and child: the present pair and the two after it
    public int $score;
    public int $pending, $fixed;  // garbage of a chain that still runs, and such as falls after the next pair
    public int $carry;  // points kept
    public int $allClear;  // 1: the bonus for an empty field
    public int $chain;  // steps done of a chain that runs, 0: free
    public array $rows = [];  // the hidden one first: "." empty, "0" garbage, "1" to "4" colours

    public function height(int $x): int
    {
        return count(array_filter($this->rows, fn($row) => $row[$x] !== "."));
    }
}

/** Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it. */
function decide(int $tick, int $rate, Side $me, Side $opponent): string
{
    $best = SPAWN;
    foreach ([-1, 1] as $direction) {
        // A pair comes from the spawn column and passes no column that is 12 high.
        for ($x = SPAWN + $direction; $x >= 0 && $x < COLUMNS && $me->height($x) < 12; $x += $direction) {
            if ($me->height($x) < $me->height($best)) $best = $x;
        }
    }
    return "$best 0";
}

/** Return the next line; end the program with the match. */
function line(): string
{
    $line = fgets(STDIN);
    if ($line === false) exit;
    return rtrim($line, "\n");
}

function numbers(): array
{
    return array_map("intval", explode(" ", line()));
}

function side(): Side
{
    $side = new Side();
    for ($i = 0; $i < 3; $i++) $side->pairs[] = numbers();
    [$side->score, $side->pending, $side->fixed, $side->carry, $side->allClear, $side->chain] = numbers();
    for ($y = 0; $y < ROWS; $y++) $side->rows[] = line();
    return $side;
}

line();  // seat ticks rate step_ticks
while (true) {
    [$tick, $rate] = numbers();
    $me = side();
    $opponent = side();
    echo decide($tick, $rate, $me, $opponent), "\n";
}
