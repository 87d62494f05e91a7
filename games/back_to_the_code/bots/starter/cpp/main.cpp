// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.
#include <cstdlib>
#include <iostream>
#include <string>
#include <vector>

using namespace std;

const int WIDTH = 35, HEIGHT = 20;

struct Player {
    int x, y;   // (0, 0) is the top left cell; (-1, -1) when out of the match
    bool back;  // the BACK is left
};

struct View {
    int round;               // from 1; it drops when somebody goes BACK
    vector<Player> players;  // you first
    vector<string> rows;     // rows[y][x]: '.' neutral, '0' yours, else the number of its owner
};

// Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
string decide(const View& view) {
    const Player& me = view.players[0];
    int x = me.x, y = me.y, nearest = WIDTH + HEIGHT;
    for (int v = 0; v < HEIGHT; v++)
        for (int u = 0; u < WIDTH; u++) {
            int steps = abs(u - me.x) + abs(v - me.y);
            if (view.rows[v][u] == '.' && steps < nearest) x = u, y = v, nearest = steps;
        }
    return to_string(x) + " " + to_string(y);
}

int main() {
    int opponents;
    cin >> opponents;
    View view{0, vector<Player>(1 + opponents), vector<string>(HEIGHT)};
    while (cin >> view.round) {  // until the match has ended
        for (Player& player : view.players) cin >> player.x >> player.y >> player.back;
        for (string& row : view.rows) cin >> row;
        cout << decide(view) << endl;  // endl flushes: no answer arrives without it
    }
}
