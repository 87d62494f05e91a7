// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
#include <iostream>
#include <string>
#include <vector>

using namespace std;

const int COLUMNS = 6, ROWS = 13, SPAWN = 2;

struct Side {
    int pairs[3][2];  // colours of axis and child: the present pair and the two after it
    // Garbage of a chain that still runs, and such as falls after the next pair; points kept; the bonus for an empty
    // field; steps done of a chain that runs, 0: free.
    int score, pending, fixed, carry, all_clear, chain;
    vector<string> rows;  // rows[0] is the hidden one at the top: '.' empty, '0' garbage, '1' to '4' colours

    int height(int x) const {
        int found = 0;
        for (const string& row : rows) found += row[x] != '.';
        return found;
    }
};

// Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it.
string decide(int tick, const Side& me, const Side& opponent) {
    int best = SPAWN;
    for (int direction : {-1, 1})  // a pair comes from the spawn column and passes no column that is 12 high
        for (int x = SPAWN + direction; x >= 0 && x < COLUMNS && me.height(x) < 12; x += direction)
            if (me.height(x) < me.height(best)) best = x;
    return to_string(best) + " 0";
}

void read(Side& side) {
    for (auto& pair : side.pairs) cin >> pair[0] >> pair[1];
    cin >> side.score >> side.pending >> side.fixed >> side.carry >> side.all_clear >> side.chain;
    side.rows.resize(ROWS);
    for (string& row : side.rows) cin >> row;
}

int main() {
    int seat, ticks, rate, step_ticks, tick;  // rate: points that make one garbage puyo
    cin >> seat >> ticks >> rate >> step_ticks;
    Side me, opponent;
    while (cin >> tick >> rate) {  // until the match has ended
        read(me);
        read(opponent);
        cout << decide(tick, me, opponent) << endl;  // endl flushes: no answer arrives without it
    }
}
