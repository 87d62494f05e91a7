//! two_ply: tries all placements of the two pairs that come first and takes the most points, or the best connections.
//!
//! A whole bot in one file, as a start for bots in Rust. A field is six columns of puyos, the lowest first.

use std::io::{self, BufRead, Lines, StdinLock};

const COLUMNS: usize = 6;
const ROWS: usize = 13; // the highest one is hidden: nothing pops there
const SPAWN: usize = 2; // the column where pairs appear
const GARBAGE: u8 = 0;
const ASIDE: [i32; 4] = [0, 1, 0, -1]; // column of the child by r: above, right, below, left
const CHAIN_POWERS: [i32; 8] = [0, 8, 16, 32, 64, 96, 128, 160];
const WORTHY: i32 = 600; // a chain that brings fewer points is a waste of puyos
const WASTE: i32 = 40; // what a chain that is not worth it costs
const LINK: i32 = 10;
const TOO_HIGH: i32 = 60; // for each row of the spawn column above the ninth

type Field = [Vec<u8>; COLUMNS];
type Pair = (u8, u8);
type Placement = (i32, usize);

/// The placements that are surely within reach: over columns of less than 12 puyos.
fn placements(field: &Field) -> Vec<Placement> {
    let mut found = Vec::new();
    for x in 0..COLUMNS as i32 {
        for r in 0..4 {
            let child = x + ASIDE[r];
            if (0..COLUMNS as i32).contains(&child) && within_reach(field, x, child, r) {
                found.push((x, r));
            }
        }
    }
    if found.is_empty() {
        found.push((SPAWN as i32, 0)); // where it appears, it can always stay
    }
    found
}

fn within_reach(field: &Field, x: i32, child: i32, r: usize) -> bool {
    let spawn = SPAWN as i32;
    let (low, high) = (x.min(child).min(spawn), x.max(child).max(spawn));
    let upright = r == 0 || r == 2;
    (low..=high).all(|column| field[column as usize].len() < if upright { 11 } else { 12 })
}

/// The field with a pair on it, and the points of the chain that it sets off.
fn drop_pair(field: &Field, pair: Pair, (x, r): Placement) -> (Field, i32) {
    let mut after = field.clone();
    let (axis, child) = (x as usize, (x + ASIDE[r]) as usize);
    let puyos = if r == 2 { [(child, pair.1), (axis, pair.0)] } else { [(axis, pair.0), (child, pair.1)] };
    for (column, puyo) in puyos {
        if after[column].len() < ROWS {
            after[column].push(puyo);
        }
    }
    let mut score = 0;
    for step in 0.. {
        let points = pop(&mut after, step);
        if points == 0 {
            break;
        }
        score += points;
    }
    (after, score)
}

/// Let groups of four or more pop; return the points, without what groups and colours add.
fn pop(field: &mut Field, step: usize) -> i32 {
    let mut gone = [[false; ROWS]; COLUMNS];
    let mut popped = 0;
    for x in 0..COLUMNS {
        for y in 0..field[x].len().min(ROWS - 1) {
            if field[x][y] != GARBAGE && !gone[x][y] {
                let group = group_of(field, x, y);
                if group.len() >= 4 {
                    popped += group.len() as i32;
                    group.iter().for_each(|&(u, v)| gone[u][v] = true);
                }
            }
        }
    }
    if popped > 0 {
        remove(field, &gone);
    }
    10 * popped * CHAIN_POWERS[step.min(CHAIN_POWERS.len() - 1)].max(1)
}

/// Take out what has popped, with the garbage beside it.
fn remove(field: &mut Field, gone: &[[bool; ROWS]; COLUMNS]) {
    let before = field.clone();
    for x in 0..COLUMNS {
        let mut y = 0;
        field[x].retain(|&puyo| {
            y += 1;
            let beside = beside(&before, x, y - 1).into_iter().any(|(u, v)| gone[u][v]);
            !(gone[x][y - 1] || (puyo == GARBAGE && y < ROWS && beside))
        });
    }
}

fn group_of(field: &Field, x: usize, y: usize) -> Vec<(usize, usize)> {
    let mut group = vec![(x, y)];
    let mut next = 0;
    while next < group.len() {
        for (u, v) in beside(field, group[next].0, group[next].1) {
            if v < ROWS - 1 && field[u][v] == field[x][y] && !group.contains(&(u, v)) {
                group.push((u, v));
            }
        }
        next += 1;
    }
    group
}

/// The puyos above, below, right and left of a cell.
fn beside(field: &Field, x: usize, y: usize) -> Vec<(usize, usize)> {
    let around = [(x, y + 1), (x, y.wrapping_sub(1)), (x + 1, y), (x.wrapping_sub(1), y)];
    around.into_iter().filter(|&(u, v)| u < COLUMNS && v < field[u].len()).collect()
}

/// What a field is worth: puyos beside others of their colour, and a spawn column that is not too high.
fn worth(field: &Field) -> i32 {
    let mut links = 0;
    for x in 0..COLUMNS {
        for y in 0..field[x].len() {
            let same = |&(u, v): &(usize, usize)| field[u][v] == field[x][y];
            links += if field[x][y] == GARBAGE { 0 } else { beside(field, x, y).iter().filter(|at| same(at)).count() };
        }
    }
    let dead = if field[SPAWN].len() > 11 { 1_000_000 } else { 0 };
    LINK * links as i32 - TOO_HIGH * (field[SPAWN].len() as i32 - 9).max(0) - dead
}

/// The best that can be reached with some pairs, and the placement to begin with.
fn best(field: &Field, pairs: &[Pair]) -> (i32, Placement) {
    let mut found = (i32::MIN, (SPAWN as i32, 0));
    for placement in placements(field) {
        let (after, score) = drop_pair(field, pairs[0], placement);
        let gain = if score >= WORTHY { score } else { -WASTE * score.signum() };
        let later = if pairs.len() > 1 && after[SPAWN].len() < 12 { best(&after, &pairs[1..]).0 } else { worth(&after) };
        found = found.max((gain + later, placement));
    }
    found
}

struct Player {
    pairs: Vec<Pair>,
    field: Field,
}

fn read_player(lines: &mut Lines<StdinLock>) -> Player {
    let mut next = || lines.next().unwrap().unwrap();
    let pairs = (0..3).map(|_| next()).map(|line| (number(&line, 0), number(&line, 1))).collect();
    next(); // score and garbage
    let rows: Vec<Vec<u8>> = (0..ROWS).map(|_| next().into_bytes()).collect();
    let column = |x: usize| rows.iter().rev().map(|row| row[x]).filter(|&c| c != b'.').map(|c| c - b'0').collect();
    Player { pairs, field: std::array::from_fn(column) }
}

fn number(line: &str, at: usize) -> u8 {
    line.split_whitespace().nth(at).unwrap().parse().unwrap()
}

fn main() {
    let mut lines = io::stdin().lock().lines();
    lines.next(); // seat, length of a match, and how points become garbage
    while let Some(Ok(_)) = lines.next() {
        let me = read_player(&mut lines);
        read_player(&mut lines);
        let (_, (x, r)) = best(&me.field, &me.pairs[..2]);
        println!("{x} {r}");
    }
}
