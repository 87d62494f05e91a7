// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.
use std::io::{self, BufRead};

const HEIGHT: usize = 20;

#[allow(dead_code)] // this bot looks at its own place and the cells only; yours will look at more
struct View {
    /// From 1; it drops when somebody goes BACK.
    round: i32,
    /// [x, y, back] of you, then of the others; back is 1 while the BACK is left, (-1, -1) is out of the match.
    players: Vec<Vec<i32>>,
    /// rows[y], character x: '.' neutral, '0' yours, else the number of its owner. (0, 0) is the top left cell.
    rows: Vec<String>,
}

/// Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
fn decide(view: &View) -> String {
    let (x, y) = (view.players[0][0], view.players[0][1]);
    let mut best = (i32::MAX, x, y);
    for (v, row) in view.rows.iter().enumerate() {
        for (u, owner) in row.chars().enumerate() {
            let (u, v) = (u as i32, v as i32);
            let steps = (u - x).abs() + (v - y).abs();
            if owner == '.' && steps < best.0 {
                best = (steps, u, v);
            }
        }
    }
    format!("{} {}", best.1, best.2)
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let players = 1 + lines.next().unwrap().parse::<usize>().unwrap();
    while let Some(round) = lines.next() {
        // until the match has ended
        let view = View {
            round: round.parse().unwrap(),
            players: lines.by_ref().take(players).map(|line| numbers(&line)).collect(),
            rows: lines.by_ref().take(HEIGHT).collect(),
        };
        println!("{}", decide(&view));
    }
}

fn numbers(line: &str) -> Vec<i32> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}
