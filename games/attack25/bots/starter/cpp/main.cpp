// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

using namespace std;

struct Match {
    char colour;           // yours: R, G, W or B
    int round;             // from 1
    bool chance;           // this round is the Attack Chance: who takes a panel also empties one
    string board;          // board[1] to board[25]: the owner of a panel, '.' nobody
    vector<string> chips;  // of R, G, W, B, of those who play
    string order;          // who wins a tie, first to last
    string last;           // the last round: panel, colour, bids, and the panel emptied, if one was
};

int bid(const Match& match) {
    int mine = stoi(match.chips[string("RGWB").find(match.colour)]);
    return min(4, mine);
}

// You won: return which of these panels you take.
int pick(const Match& match, const vector<int>& panels) {
    return panels[0];
}

// You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours.
int erase(const Match& match, int taken) {
    for (int panel = 1; panel <= 25; panel++)
        if (match.board[panel] != '.' && match.board[panel] != match.colour) return panel;
    return taken;
}

vector<string> words(const string& line) {
    istringstream in(line);
    vector<string> found;
    for (string word; in >> word;) found.push_back(word);
    return found;
}

void read_round(Match& match, const vector<string>& heading) {
    match.round = stoi(heading[1]);
    match.chance = heading[2] == "1";
    match.board = "#";
    string line;
    for (int row = 0; row < 5; row++) getline(cin, line), match.board += line;
    getline(cin, line), match.chips = words(line);
    getline(cin, match.order);
    getline(cin, match.last);
}

int main() {
    Match match{};
    int chips;
    string mode, line;  // the mode "order" is without bids
    cin >> match.colour >> chips >> mode >> ws;
    while (getline(cin, line)) {  // until the match has ended
        vector<string> heading = words(line);
        if (heading[0] == "BID") {
            read_round(match, heading);
            if (mode == "bid") cout << bid(match) << endl;  // endl flushes: no answer arrives without it
        } else {  // PICK round chance class panels
            replace(heading[4].begin(), heading[4].end(), ',', ' ');
            vector<int> panels;
            for (const string& word : words(heading[4])) panels.push_back(stoi(word));
            int panel = pick(match, panels);
            cout << panel;
            if (match.chance) cout << " " << erase(match, panel);
            cout << endl;
        }
    }
}
