// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Random;
import java.util.stream.Stream;

public class Main {
    static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    static Random dice;  // seeded with the seat, so that the same match is played the same way again

    static int seat, players, width, height, agents, turns;  // agents of each player, turns of the whole match
    static int[][] points;  // points[y][x]; (0, 0) is the top left cell
    static int turn;  // from 1
    static int[][] scores;  // {points of walls, points of areas} of each player
    static String[] tiles;  // of each row: '.' neutral, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' ..
    static int[][][] positions;  // positions[seat][agent] = {x, y}; {-1, -1} while off the board
    static String[] results;  // codes of your last orders; 0: carried out

    /** Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE. */
    static String decide(int agent) {
        int[] at = positions[seat][agent];
        if (at[0] < 0) return "PUT " + dice.nextInt(width) + " " + dice.nextInt(height);
        return "MOVE " + (at[0] + dice.nextInt(3) - 1) + " " + (at[1] + dice.nextInt(3) - 1);
    }

    public static void main(String[] args) throws IOException {
        int[] facts = numbers(in.readLine());
        seat = facts[0];
        dice = new Random(seat);
        players = facts[1];
        width = facts[2];
        height = facts[3];
        agents = facts[4];
        turns = facts[5];
        points = rows(height);
        for (String line = in.readLine(); line != null; line = in.readLine()) {  // until the match has ended
            turn = Integer.parseInt(line);
            scores = rows(players);
            tiles = new String[height];
            for (int y = 0; y < height; y++) tiles[y] = in.readLine();
            positions = new int[players][][];
            for (int i = 0; i < players; i++) positions[i] = rows(agents);
            results = in.readLine().split(" ");
            for (int agent = 0; agent < agents; agent++) System.out.println(decide(agent));
        }
    }

    static int[][] rows(int count) throws IOException {
        int[][] rows = new int[count][];
        for (int i = 0; i < count; i++) rows[i] = numbers(in.readLine());
        return rows;
    }

    static int[] numbers(String line) {
        return Stream.of(line.split(" ")).mapToInt(Integer::parseInt).toArray();
    }
}
