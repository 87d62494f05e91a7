// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
use std::io::{self, BufRead};

const COLUMNS: i32 = 6;
const ROWS: usize = 13;
const SPAWN: i32 = 2;

#[allow(dead_code)] // this bot looks at the heights only; yours will look at more
struct Side {
    /// Colours of axis and child: the present pair and the two after it.
    pairs: Vec<Vec<i32>>,
    /// score; garbage of a chain that still runs, and such as falls after the next pair; points kept; 1: the bonus for
    /// an empty field; steps done of a chain that runs, 0: free.
    numbers: Vec<i32>,
    /// The hidden row at the top first: '.' empty, '0' garbage, '1' to '4' colours.
    rows: Vec<Vec<char>>,
}

impl Side {
    fn height(&self, x: i32) -> usize {
        self.rows.iter().filter(|row| row[x as usize] != '.').count()
    }
}

/// Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it.
fn decide(_tick: i32, _rate: i32, me: &Side, _opponent: &Side) -> String {
    let mut best = SPAWN;
    for direction in [-1, 1] {
        // A pair comes from the spawn column and passes no column that is 12 high.
        let mut x = SPAWN + direction;
        while 0 <= x && x < COLUMNS && me.height(x) < 12 {
            if me.height(x) < me.height(best) {
                best = x;
            }
            x += direction;
        }
    }
    format!("{} 0", best)
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    lines.next(); // seat ticks rate step_ticks
    while let Some(line) = lines.next() {
        // until the match has ended
        let clock = numbers(&line);
        let me = side(&mut lines);
        let opponent = side(&mut lines);
        println!("{}", decide(clock[0], clock[1], &me, &opponent));
    }
}

fn side(lines: &mut impl Iterator<Item = String>) -> Side {
    Side {
        pairs: lines.by_ref().take(3).map(|line| numbers(&line)).collect(),
        numbers: numbers(&lines.next().unwrap()),
        rows: lines.by_ref().take(ROWS).map(|line| line.chars().collect()).collect(),
    }
}

fn numbers(line: &str) -> Vec<i32> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}
