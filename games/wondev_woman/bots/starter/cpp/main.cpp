// A bot for Wondev Woman that takes any legal action. Make decide() better.
#include <iostream>
#include <random>
#include <string>
#include <vector>

using namespace std;

struct Cell {
    int x, y;  // (0, 0) is the top left cell; a hidden unit is at (-1, -1)
};

struct View {
    vector<string> rows;     // rows[y][x]: '.' no cell, '0' to '3' its height, '4' closed for ever
    vector<Cell> mine, foes;
    vector<string> actions;  // the legal ones, never empty
};

mt19937 dice;  // of the same seed in each match, so that the same match is played the same way again

string decide(const View& view) {
    return view.actions[dice() % view.actions.size()];
}

int main() {
    size_t size, units, count;
    cin >> size >> units;
    View view{vector<string>(size), vector<Cell>(units), vector<Cell>(units), {}};
    while (cin >> view.rows[0]) {  // until the match has ended
        for (size_t y = 1; y < size; y++) cin >> view.rows[y];
        for (Cell& cell : view.mine) cin >> cell.x >> cell.y;
        for (Cell& cell : view.foes) cin >> cell.x >> cell.y;
        cin >> count;
        cin.ignore();  // the end of this line
        view.actions.resize(count);
        for (string& action : view.actions) getline(cin, action);
        cout << (count ? decide(view) : "ACCEPT-DEFEAT") << endl;  // endl flushes: no answer arrives without it
    }
}
