<?php
// A bot for Wondev Woman that takes any legal action. Make decide() better.

mt_srand(1);  // so that the same match is played the same way again

/**
 * $rows[y][x]: "." no cell, "0" to "3" its height, "4" closed for ever. $mine, $foes: [x, y] of each unit, [-1, -1] if
 * hidden. $actions: the legal ones, never empty. (0, 0) is the top left cell.
 */
function decide(array $rows, array $mine, array $foes, array $actions): string
{
    return $actions[mt_rand(0, count($actions) - 1)];
}

/** Return the next line; end the program with the match. */
function line(): string
{
    $line = fgets(STDIN);
    if ($line === false) exit;
    return rtrim($line, "\n");
}

function lines(int $count): array
{
    $lines = [];
    for ($i = 0; $i < $count; $i++) $lines[] = line();
    return $lines;
}

function cells(int $count): array
{
    return array_map(fn($line) => array_map("intval", explode(" ", $line)), lines($count));
}

$size = (int) line();
$units = (int) line();
while (true) {
    $rows = lines($size);
    $mine = cells($units);
    $foes = cells($units);
    $actions = lines((int) line());
    echo $actions ? decide($rows, $mine, $foes, $actions) : "ACCEPT-DEFEAT", "\n";
}
