// A bot for Wondev Woman that takes any legal action. Make decide() better.
use std::io::{self, BufRead};

/// (x, y); (0, 0) is the top left cell, a hidden unit is at (-1, -1).
type Cell = (i32, i32);

#[allow(dead_code)] // this bot looks at the actions only; yours will look at more
struct View {
    /// rows[y], character x: '.' no cell, '0' to '3' its height, '4' closed for ever.
    rows: Vec<String>,
    mine: Vec<Cell>,
    foes: Vec<Cell>,
    /// The legal ones, never empty.
    actions: Vec<String>,
}

fn decide(view: &View, dice: &mut Dice) -> String {
    view.actions[dice.below(view.actions.len())].clone()
}

/// The standard library has no random numbers: Marsaglia's xorshift. Of the same seed, so that the same match is played
/// the same way again; it must not be 0.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }
}

fn main() {
    let mut dice = Dice(88172645463325252);
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let size: usize = lines.next().unwrap().parse().unwrap();
    let units: usize = lines.next().unwrap().parse().unwrap();
    while let Some(first) = lines.next() {
        // until the match has ended
        let mut rows = vec![first];
        rows.extend(lines.by_ref().take(size - 1));
        let mine = lines.by_ref().take(units).map(|line| cell(&line)).collect();
        let foes = lines.by_ref().take(units).map(|line| cell(&line)).collect();
        let count: usize = lines.next().unwrap().parse().unwrap();
        let actions: Vec<String> = lines.by_ref().take(count).collect();
        let view = View { rows, mine, foes, actions };
        println!("{}", if count > 0 { decide(&view, &mut dice) } else { "ACCEPT-DEFEAT".to_string() });
    }
}

fn cell(line: &str) -> Cell {
    let (x, y) = line.split_once(' ').unwrap();
    (x.parse().unwrap(), y.parse().unwrap())
}
