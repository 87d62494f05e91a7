// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.stream.Stream;

public class Main {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final int WIDTH = 35, HEIGHT = 20;

    /**
     * Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
     *
     * round: from 1, it drops when somebody goes BACK. players: {x, y, back} of you, then of the others; back is 1 while
     * the BACK is left, (-1, -1) is out of the match. rows[y].charAt(x): '.' neutral, '0' yours, else the number of its
     * owner. (0, 0) is the top left cell.
     */
    static String decide(int round, int[][] players, String[] rows) {
        int myX = players[0][0], myY = players[0][1];
        int x = myX, y = myY, nearest = WIDTH + HEIGHT;
        for (int v = 0; v < HEIGHT; v++) {
            for (int u = 0; u < WIDTH; u++) {
                int steps = Math.abs(u - myX) + Math.abs(v - myY);
                if (rows[v].charAt(u) == '.' && steps < nearest) {
                    x = u;
                    y = v;
                    nearest = steps;
                }
            }
        }
        return x + " " + y;
    }

    public static void main(String[] args) throws IOException {
        int[][] players = new int[1 + Integer.parseInt(in.readLine())][];
        String[] rows = new String[HEIGHT];
        for (String line = in.readLine(); line != null; line = in.readLine()) {  // until the match has ended
            for (int i = 0; i < players.length; i++) {
                players[i] = Stream.of(in.readLine().split(" ")).mapToInt(Integer::parseInt).toArray();
            }
            for (int y = 0; y < HEIGHT; y++) rows[y] = in.readLine();
            System.out.println(decide(Integer.parseInt(line), players, rows));
        }
    }
}
