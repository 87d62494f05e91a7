// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
use std::io::{self, BufRead};

#[allow(dead_code)] // this bot looks at little; yours will look at more
#[derive(Default)]
struct Match {
    /// Yours: R, G, W or B.
    colour: char,
    /// From 1.
    round: i32,
    /// This round is the Attack Chance: who takes a panel also empties one.
    chance: bool,
    /// board[1] to board[25]: the owner of a panel, '.' nobody.
    board: Vec<char>,
    /// Of R, G, W, B, of those who play.
    chips: Vec<i32>,
    /// Who wins a tie, first to last.
    order: String,
    /// The last round: panel, colour, bids, and the panel emptied, if one was.
    last: String,
}

fn bid(game: &Match) -> i32 {
    game.chips["RGWB".find(game.colour).unwrap()].min(4)
}

/// You won: return which of these panels you take.
fn pick(_game: &Match, panels: &[usize]) -> usize {
    panels[0]
}

/// You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours.
fn erase(game: &Match, taken: usize) -> usize {
    let rival = |&panel: &usize| game.board[panel] != '.' && game.board[panel] != game.colour;
    (1..=25).find(rival).unwrap_or(taken)
}

fn main() {
    let mut lines = io::stdin().lock().lines().map(|line| line.unwrap());
    let first = lines.next().unwrap();
    let bidding = first.ends_with("bid");
    let mut game = Match { colour: first.chars().next().unwrap(), ..Match::default() };
    while let Some(line) = lines.next() {
        // until the match has ended
        let heading: Vec<&str> = line.split(' ').collect();
        if heading[0] == "BID" {
            game.round = heading[1].parse().unwrap();
            game.chance = heading[2] == "1";
            let rows: Vec<String> = lines.by_ref().take(5).collect();
            game.board = format!("#{}", rows.concat()).chars().collect();
            game.chips = lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
            game.order = lines.next().unwrap();
            game.last = lines.next().unwrap();
            if bidding {
                println!("{}", bid(&game));
            }
        } else {
            // PICK round chance class panels
            let panels: Vec<usize> = heading[4].split(',').map(|word| word.parse().unwrap()).collect();
            let panel = pick(&game, &panels);
            if game.chance {
                println!("{} {}", panel, erase(&game, panel));
            } else {
                println!("{}", panel);
            }
        }
    }
}
