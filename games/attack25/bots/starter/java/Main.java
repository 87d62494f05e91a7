// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.stream.Stream;

public class Main {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));

    static String colour;  // yours: R, G, W or B
    static int round;  // from 1
    static boolean chance;  // this round is the Attack Chance: who takes a panel also empties one
    static String board;  // charAt(1) to charAt(25): the owner of a panel, '.' nobody
    static int[] chips;  // of R, G, W, B, of those who play
    static String[] order;  // who wins a tie, first to last
    static String[] last;  // the last round: panel, colour, bids, and the panel emptied, if one was

    static int bid() {
        return Math.min(4, chips["RGWB".indexOf(colour)]);
    }

    /** You won: return which of these panels you take. */
    static int pick(int[] panels) {
        return panels[0];
    }

    /** You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours. */
    static int erase(int taken) {
        for (int panel = 1; panel <= 25; panel++) {
            if (board.charAt(panel) != '.' && board.charAt(panel) != colour.charAt(0)) return panel;
        }
        return taken;
    }

    public static void main(String[] args) throws IOException {
        String[] facts = in.readLine().split(" ");
        colour = facts[0];
        boolean bidding = facts[2].equals("bid");
        for (String line = in.readLine(); line != null; line = in.readLine()) {  // until the match has ended
            String[] heading = line.split(" ");
            if (heading[0].equals("BID")) {
                readRound(heading);
                if (bidding) System.out.println(bid());
            } else {  // PICK round chance class panels
                int panel = pick(numbers(heading[4].split(",")));
                System.out.println(chance ? panel + " " + erase(panel) : panel);
            }
        }
    }

    static void readRound(String[] heading) throws IOException {
        round = Integer.parseInt(heading[1]);
        chance = heading[2].equals("1");
        board = "#";
        for (int row = 0; row < 5; row++) board += in.readLine();
        chips = numbers(in.readLine().split(" "));
        order = in.readLine().split(" ");
        last = in.readLine().split(" ");
    }

    static int[] numbers(String[] words) {
        return Stream.of(words).mapToInt(Integer::parseInt).toArray();
    }
}
