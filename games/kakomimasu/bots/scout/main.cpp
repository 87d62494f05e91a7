// scout: every agent looks three steps ahead and takes the first step of the richest way.
//
// A whole bot in one file, as a start for bots in C++. The rules of the protocol stand in read_turn and order.
#include <algorithm>
#include <iostream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace std;

using Cell = pair<int, int>;  // x, y; (0, 0) is the top left one

const int STEPS = 3;
const double LATER = 0.6;  // what a cell is worth a step later: until then others may have taken it

int seat, players, width, height, agents, turns;
vector<vector<int>> points;
vector<string> tiles;  // '.' nobody's, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' a wall of seat 1, ..
vector<Cell> mine;     // where my agents stand, (-1, -1): not on the board yet
mt19937 chance;          // of each seat the same in every match, so that a match can be played again
vector<string> results;  // codes of my last orders, "0" is a success; empty on turn 1

char tile(Cell cell) { return tiles[cell.second][cell.first]; }
bool is_wall(Cell cell) { return isupper(tile(cell)); }
bool is_mine(Cell cell) { return toupper(tile(cell)) == 'A' + seat; }

string line() {
    string text;
    if (!getline(cin, text)) exit(0);  // the match has ended
    return text;
}

vector<string> words() {
    istringstream stream(line());
    vector<string> found;
    for (string word; stream >> word;) found.push_back(word);
    return found;
}

void read_turn() {
    line();  // the number of the turn
    for (int i = 0; i < players; i++) line();  // scores
    tiles.clear();
    for (int y = 0; y < height; y++) tiles.push_back(line());
    mine.clear();
    for (int i = 0; i < players * agents; i++) {
        auto place = words();
        if (i / agents == seat) mine.emplace_back(stoi(place[0]), stoi(place[1]));
    }
    results = words();
    if (results[0] == "-") results.clear();
}

vector<Cell> around(Cell cell) {
    vector<Cell> found;
    for (int y = max(cell.second - 1, 0); y <= min(cell.second + 1, height - 1); y++)
        for (int x = max(cell.first - 1, 0); x <= min(cell.first + 1, width - 1); x++)
            if (Cell(x, y) != cell) found.emplace_back(x, y);
    return found;
}

vector<Cell> board() {
    vector<Cell> found;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) found.emplace_back(x, y);
    return found;
}

// What it brings to step on a cell: an area counts its cells without their signs, and who owns it loses that. A foreign
// wall takes a turn more and is taken from somebody else.
double worth(Cell cell) {
    if (is_wall(cell) && is_mine(cell)) return 0;
    int value = points[cell.second][cell.first];
    if (is_wall(cell)) return value * LATER;
    if (tile(cell) == '.') return value;
    return is_mine(cell) ? value - abs(value) : value + abs(value);
}

// The worth of the richest way on from a cell; cells of the way count once.
double ahead(Cell cell, int steps, set<Cell>& way) {
    if (steps == 0) return 0;
    way.insert(cell);
    double best = -100;
    for (Cell next : around(cell))
        if (!way.count(next)) best = max(best, worth(next) + LATER * ahead(next, steps - 1, way));
    way.erase(cell);
    return best;
}

string order(const string& verb, Cell cell) {
    return verb + " " + to_string(cell.first) + " " + to_string(cell.second);
}

// The order of an agent; its target is taken for the agents after it.
string decide(int agent, set<Cell>& taken) {
    Cell here = mine[agent];
    bool placed = here.first >= 0;
    // After a failure it chooses another cell: an opponent that wanted the same cell will want it again.
    size_t place = !results.empty() && results[agent] != "0" ? chance() % 3 : 0;
    vector<pair<double, Cell>> options;
    set<Cell> way;
    for (Cell target : placed ? around(here) : board()) {
        if (taken.count(target) || (!placed && is_wall(target))) continue;
        options.emplace_back(worth(target) + LATER * ahead(target, placed ? STEPS - 1 : 1, way), target);
    }
    if (options.empty()) return "NONE";
    sort(options.rbegin(), options.rend());
    Cell target = options[min(place, options.size() - 1)].second;
    taken.insert(target);
    if (!placed) return order("PUT", target);
    return order(is_wall(target) && !is_mine(target) ? "REMOVE" : "MOVE", target);
}

int main() {
    istringstream(line()) >> seat >> players >> width >> height >> agents >> turns;
    chance.seed(seat);
    for (int y = 0; y < height; y++) {
        points.emplace_back();
        for (const string& word : words()) points.back().push_back(stoi(word));
    }
    while (true) {
        read_turn();
        set<Cell> taken(mine.begin(), mine.end());
        for (int agent = 0; agent < agents; agent++) cout << decide(agent, taken) << "\n";
        cout << flush;
    }
}
