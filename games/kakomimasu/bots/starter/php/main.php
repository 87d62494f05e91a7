<?php
// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.

class Board
{
    public int $seat, $players, $width, $height;
    public int $agents;  // of each player
    public int $turns;  // of the whole match
    public array $points;  // $points[y][x]; (0, 0) is the top left cell
    public int $turn;  // from 1
    public array $scores;  // [points of walls, points of areas] of each player
    public array $tiles;  // of each row: "." neutral, "A" a wall of seat 0, "a" an area of seat 0, "B" ..
    public array $positions;  // $positions[seat][agent] = [x, y]; [-1, -1] while off the board
    public array $results;  // codes of your last orders; 0: carried out
}

/** Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE. */
function decide(Board $board, int $agent): string
{
    [$x, $y] = $board->positions[$board->seat][$agent];
    if ($x < 0) return "PUT " . mt_rand(0, $board->width - 1) . " " . mt_rand(0, $board->height - 1);
    return "MOVE " . ($x + mt_rand(-1, 1)) . " " . ($y + mt_rand(-1, 1));
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

/** Call a function for each of so many lines or groups of lines, and return what it has returned. */
function times(int $count, callable $read): array
{
    $list = [];
    for ($i = 0; $i < $count; $i++) $list[] = $read();
    return $list;
}

$board = new Board();
[$board->seat, $board->players, $board->width, $board->height, $board->agents, $board->turns] = numbers();
mt_srand($board->seat);  // so that the same match is played the same way again
$board->points = times($board->height, "numbers");
while (true) {
    $board->turn = (int) line();
    $board->scores = times($board->players, "numbers");
    $board->tiles = times($board->height, "line");
    $board->positions = times($board->players, fn() => times($board->agents, "numbers"));
    $board->results = explode(" ", line());
    for ($agent = 0; $agent < $board->agents; $agent++) echo decide($board, $agent), "\n";
}
