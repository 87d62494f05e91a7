// climber: takes the action that leaves its unit highest, with steps to go on and good ground built beside it.
//
// A whole bot in one file, as a start for bots in C++. It thinks of its own next step only.
#include <array>
#include <cstdlib>
#include <iostream>
#include <map>
#include <string>
#include <utility>
#include <vector>

using namespace std;

using Cell = pair<int, int>;  // x, y; (0, 0) is the top left one

struct Action {
    bool push;
    int unit;
    string near, far;  // directions: to step or push from the unit, then to build or push on from there
};

const int POINT = 8, HEIGHT = 4, WAY_OUT = 1, TRAPPED = -40, LADDER = 2, WASTED = -5, PUSHED_DOWN = 3;
const int CLOSED = 4;  // as high as a cell can be; here holes and what lies outside count as closed, too
const map<string, Cell> DIRECTIONS = {{"N", {0, -1}}, {"NE", {1, -1}}, {"E", {1, 0}},  {"SE", {1, 1}},
                                      {"S", {0, 1}},  {"SW", {-1, 1}}, {"W", {-1, 0}}, {"NW", {-1, -1}}};

int size_, units;
vector<string> rows;
vector<Cell> mine, foes;  // foes: (-1, -1) while hidden
vector<Action> actions;

Cell moved(Cell cell, const string& direction) {
    Cell step = DIRECTIONS.at(direction);
    return {cell.first + step.first, cell.second + step.second};
}

int height_of(Cell cell) {
    auto [x, y] = cell;
    if (x < 0 || y < 0 || x >= size_ || y >= size_ || rows[y][x] == '.') return CLOSED;
    return rows[y][x] - '0';
}

void read_turn() {
    rows.assign(size_, "");
    mine.assign(units, {});
    foes.assign(units, {});
    for (string& row : rows) cin >> row;
    for (auto& [x, y] : mine) cin >> x >> y;
    for (auto& [x, y] : foes) cin >> x >> y;
    int count;
    if (!(cin >> count)) exit(0);  // the match has ended
    actions.assign(count, {});
    for (Action& action : actions) {
        string kind;
        cin >> kind >> action.unit >> action.near >> action.far;
        action.push = kind == "PUSH&BUILD";
    }
}

// How many steps a unit has from a cell when another one has grown.
int ways_out(Cell cell, Cell grown) {
    int count = 0;
    for (const auto& [name, step] : DIRECTIONS) {
        Cell next = moved(cell, name);
        int height = height_of(next) + (next == grown);
        count += height < CLOSED && height <= height_of(cell) + 1;
    }
    return count;
}

int worth_of_move(Cell there, Cell built) {
    int height = height_of(there), grown = height_of(built) + 1, ways = ways_out(there, built);
    int value = (height == 3 ? POINT : 0) + HEIGHT * height + WAY_OUT * ways + (ways ? 0 : TRAPPED);
    // A cell one higher than where it stands is the next step; one that is closed by it helps nobody.
    if (grown == CLOSED) return value + WASTED;
    return value + (grown <= height + 1 ? LADDER * grown : 0);
}

int worth(const Action& action) {
    Cell here = mine[action.unit], near = moved(here, action.near), far = moved(near, action.far);
    if (!action.push) return worth_of_move(near, far);
    int stays = HEIGHT * height_of(here) + WAY_OUT * ways_out(here, near);
    return stays + PUSHED_DOWN * (height_of(near) - height_of(far));
}

string line(const Action& action) {
    string kind = action.push ? "PUSH&BUILD " : "MOVE&BUILD ";
    return kind + to_string(action.unit) + " " + action.near + " " + action.far;
}

int main() {
    cin >> size_ >> units;
    while (true) {
        read_turn();
        const Action* best = nullptr;
        for (const Action& action : actions)
            if (!best || worth(action) > worth(*best)) best = &action;
        cout << (best ? line(*best) : "ACCEPT-DEFEAT") << endl;
    }
}
