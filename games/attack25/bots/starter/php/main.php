<?php
// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.

class Round
{
    public string $colour;  // yours: R, G, W or B
    public int $round;  // from 1
    public bool $chance;  // this round is the Attack Chance: who takes a panel also empties one
    public string $board;  // $board[1] to $board[25]: the owner of a panel, "." nobody
    public array $chips;  // of R, G, W, B, of those who play
    public array $order;  // who wins a tie, first to last
    public array $last;  // the last round: panel, colour, bids, and the panel emptied, if one was
}

function bid(Round $round): int
{
    return min(4, $round->chips[strpos("RGWB", $round->colour)]);
}

/** You won: return which of these panels you take. */
function pick(Round $round, array $panels): int
{
    return $panels[0];
}

/** You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours. */
function erase(Round $round, int $taken): int
{
    for ($panel = 1; $panel <= 25; $panel++) {
        if ($round->board[$panel] !== "." && $round->board[$panel] !== $round->colour) return $panel;
    }
    return $taken;
}

/** Return the words of the next line; end the program with the match. */
function words(): array
{
    $line = fgets(STDIN);
    if ($line === false) exit;
    return explode(" ", rtrim($line, "\n"));
}

$round = new Round();
[$round->colour, , $mode] = words();
while (true) {
    $heading = words();
    if ($heading[0] === "BID") {
        $round->round = (int) $heading[1];
        $round->chance = $heading[2] === "1";
        $round->board = "#";
        for ($row = 0; $row < 5; $row++) $round->board .= words()[0];
        $round->chips = array_map("intval", words());
        $round->order = words();
        $round->last = words();
        if ($mode === "bid") echo bid($round), "\n";
    } else {  // PICK round chance class panels
        $panel = pick($round, array_map("intval", explode(",", $heading[4])));
        echo $round->chance ? "$panel " . erase($round, $panel) : $panel, "\n";
    }
}
