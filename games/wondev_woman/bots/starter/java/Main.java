// A bot for Wondev Woman that takes any legal action. Make decide() better.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;

public class Main {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static final Random dice = new Random(1);  // seeded, so that the same match is played the same way again

    /**
     * rows[y].charAt(x): '.' no cell, '0' to '3' its height, '4' closed for ever. mine, foes: {x, y} of each unit,
     * {-1, -1} if hidden. actions: the legal ones, never empty. (0, 0) is the top left cell.
     */
    static String decide(String[] rows, int[][] mine, int[][] foes, String[] actions) {
        return actions[dice.nextInt(actions.length)];
    }

    public static void main(String[] args) throws IOException {
        int size = Integer.parseInt(in.readLine());
        int units = Integer.parseInt(in.readLine());
        for (String first = in.readLine(); first != null; first = in.readLine()) {  // until the match has ended
            String[] rows = new String[size];
            rows[0] = first;
            for (int y = 1; y < size; y++) rows[y] = in.readLine();
            int[][] mine = cells(units);
            int[][] foes = cells(units);
            String[] actions = new String[Integer.parseInt(in.readLine())];
            for (int i = 0; i < actions.length; i++) actions[i] = in.readLine();
            System.out.println(actions.length > 0 ? decide(rows, mine, foes, actions) : "ACCEPT-DEFEAT");
        }
    }

    static int[][] cells(int count) throws IOException {
        int[][] cells = new int[count][];
        for (int i = 0; i < count; i++) {
            String[] words = in.readLine().split(" ");
            cells[i] = new int[] {Integer.parseInt(words[0]), Integer.parseInt(words[1])};
        }
        return cells;
    }
}
