// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
use std::io::{self, BufRead};

#[allow(dead_code)] // this bot looks at positions only; yours will look at more
struct Board {
    seat: usize,
    width: i32,
    height: i32,
    /// points[y][x]; (0, 0) is the top left cell.
    points: Vec<Vec<i32>>,
    /// From 1.
    turn: i32,
    /// [points of walls, points of areas] of each player.
    scores: Vec<Vec<i32>>,
    /// tiles[y], character x: '.' neutral, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' ..
    tiles: Vec<String>,
    /// positions[seat][agent]: [x, y], [-1, -1] while off the board.
    positions: Vec<Vec<Vec<i32>>>,
    /// Codes of your last orders, "-" in the first turn; 0: carried out.
    results: String,
}

/// Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE.
fn decide(board: &Board, agent: usize, dice: &mut Dice) -> String {
    let at = &board.positions[board.seat][agent];
    if at[0] < 0 {
        return format!("PUT {} {}", dice.below(board.width), dice.below(board.height));
    }
    format!("MOVE {} {}", at[0] + dice.below(3) - 1, at[1] + dice.below(3) - 1)
}

/// The standard library has no random numbers: Marsaglia's xorshift. Of the same seed, so that the same match is played
/// the same way again; it must not be 0.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: i32) -> i32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as i32
    }
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let facts = numbers(&lines.next().unwrap());
    let mut dice = Dice(88172645463325252 + facts[0] as u64);
    let (players, height, agents) = (facts[1] as usize, facts[3] as usize, facts[4] as usize);
    let points: Vec<Vec<i32>> = lines.by_ref().take(height).map(|line| numbers(&line)).collect();
    while let Some(turn) = lines.next() {
        // until the match has ended
        let board = Board {
            seat: facts[0] as usize,
            width: facts[2],
            height: facts[3],
            points: points.clone(),
            turn: turn.parse().unwrap(),
            scores: lines.by_ref().take(players).map(|line| numbers(&line)).collect(),
            tiles: lines.by_ref().take(height).collect(),
            positions: (0..players)
                .map(|_| lines.by_ref().take(agents).map(|line| numbers(&line)).collect())
                .collect(),
            results: lines.next().unwrap(),
        };
        for agent in 0..agents {
            println!("{}", decide(&board, agent, &mut dice));
        }
    }
}

fn numbers(line: &str) -> Vec<i32> {
    line.split(' ').map(|word| word.parse().unwrap()).collect()
}
