// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace std;

struct Cell {
    int x, y;  // (0, 0) is the top left cell; an agent that is not on the board yet is at (-1, -1)
};

struct Board {
    int seat, players, width, height, agents, turns;  // agents of each player, turns of the whole match
    vector<vector<int>> points;                       // points[y][x]
    int turn;                                         // from 1
    vector<vector<int>> scores;                       // {points of walls, points of areas} of each player
    vector<string> tiles;             // tiles[y][x]: '.' neutral, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' ..
    vector<vector<Cell>> positions;   // of the agents of each player
    string results;                   // codes of your last orders, "-" in the first turn; 0: carried out
};

mt19937 dice;  // seeded with the seat, so that the same match is played the same way again

int between(int low, int high) {
    return uniform_int_distribution<int>(low, high)(dice);
}

// Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE.
string decide(const Board& board, int agent) {
    Cell at = board.positions[board.seat][agent];
    Cell to = at.x < 0 ? Cell{between(0, board.width - 1), between(0, board.height - 1)}
                       : Cell{at.x + between(-1, 1), at.y + between(-1, 1)};
    return string(at.x < 0 ? "PUT " : "MOVE ") + to_string(to.x) + " " + to_string(to.y);
}

int main() {
    Board board;
    cin >> board.seat >> board.players >> board.width >> board.height >> board.agents >> board.turns;
    dice.seed(board.seat);
    board.points.assign(board.height, vector<int>(board.width));
    for (auto& row : board.points)
        for (int& value : row) cin >> value;
    board.scores.assign(board.players, vector<int>(2));
    board.tiles.resize(board.height);
    board.positions.assign(board.players, vector<Cell>(board.agents));
    while (cin >> board.turn) {  // until the match has ended
        for (auto& score : board.scores) cin >> score[0] >> score[1];
        for (string& row : board.tiles) cin >> row;
        for (auto& positions : board.positions)
            for (Cell& cell : positions) cin >> cell.x >> cell.y;
        getline(cin >> ws, board.results);
        for (int agent = 0; agent < board.agents; agent++) cout << decide(board, agent) << "\n";
        cout << flush;  // no answer arrives without it
    }
}
