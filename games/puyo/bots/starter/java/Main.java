// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.stream.Stream;

public class Main {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final int COLUMNS = 6, ROWS = 13, SPAWN = 2;

    static class Side {
        int[][] pairs = new int[3][];  // colours of axis and child: the present pair and the two after it
        int score;
        int pending, fixed;  // garbage of a chain that still runs, and such as falls after the next pair
        int carry;  // points kept
        boolean allClear;  // the bonus for an empty field
        int chain;  // steps done of a chain that runs, 0: free
        String[] rows = new String[ROWS];  // the hidden one first: '.' empty, '0' garbage, '1' to '4' colours

        int height(int x) {
            return (int) Stream.of(rows).filter(row -> row.charAt(x) != '.').count();
        }
    }

    /** Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it. */
    static String decide(int tick, int rate, Side me, Side opponent) {
        int best = SPAWN;
        for (int direction : new int[] {-1, 1}) {
            // A pair comes from the spawn column and passes no column that is 12 high.
            for (int x = SPAWN + direction; x >= 0 && x < COLUMNS && me.height(x) < 12; x += direction) {
                if (me.height(x) < me.height(best)) best = x;
            }
        }
        return best + " 0";
    }

    public static void main(String[] args) throws IOException {
        in.readLine();  // seat ticks rate step_ticks
        for (String line = in.readLine(); line != null; line = in.readLine()) {  // until the match has ended
            int[] clock = numbers(line);
            Side me = side();
            Side opponent = side();
            System.out.println(decide(clock[0], clock[1], me, opponent));
        }
    }

    static Side side() throws IOException {
        Side side = new Side();
        for (int i = 0; i < side.pairs.length; i++) side.pairs[i] = numbers(in.readLine());
        int[] facts = numbers(in.readLine());
        side.score = facts[0];
        side.pending = facts[1];
        side.fixed = facts[2];
        side.carry = facts[3];
        side.allClear = facts[4] == 1;
        side.chain = facts[5];
        for (int y = 0; y < ROWS; y++) side.rows[y] = in.readLine();
        return side;
    }

    static int[] numbers(String line) {
        return Stream.of(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
