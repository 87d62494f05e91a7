// A bot for Kakomimasu that lets its agents stagger about. Make Decide() better.
using System;
using System.Linq;

static class Player
{
    static Random dice;  // seeded with the seat, so that the same match is played the same way again

    static int seat, players, width, height, agents, turns;  // agents of each player, turns of the whole match
    static int[][] points;  // points[y][x]; (0, 0) is the top left cell
    static int turn;  // from 1
    static int[][] scores;  // {points of walls, points of areas} of each player
    static string[] tiles;  // of each row: '.' neutral, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' ..
    static int[][][] positions;  // positions[seat][agent] = {x, y}; {-1, -1} while off the board
    static string[] results;  // codes of your last orders; 0: carried out

    /// <summary>Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE.</summary>
    static string Decide(int agent)
    {
        int[] at = positions[seat][agent];
        if (at[0] < 0) return $"PUT {dice.Next(width)} {dice.Next(height)}";
        return $"MOVE {at[0] + dice.Next(3) - 1} {at[1] + dice.Next(3) - 1}";
    }

    static void Main()
    {
        int[] facts = Numbers(Console.ReadLine());
        seat = facts[0];
        dice = new Random(seat);
        players = facts[1];
        width = facts[2];
        height = facts[3];
        agents = facts[4];
        turns = facts[5];
        points = Rows(height);
        for (string line; (line = Console.ReadLine()) != null;)  // until the match has ended
        {
            turn = int.Parse(line);
            scores = Rows(players);
            tiles = new string[height];
            for (int y = 0; y < height; y++) tiles[y] = Console.ReadLine();
            positions = new int[players][][];
            for (int i = 0; i < players; i++) positions[i] = Rows(agents);
            results = Console.ReadLine().Split(' ');
            for (int agent = 0; agent < agents; agent++) Console.WriteLine(Decide(agent));
        }
    }

    static int[][] Rows(int count)
    {
        var rows = new int[count][];
        for (int i = 0; i < count; i++) rows[i] = Numbers(Console.ReadLine());
        return rows;
    }

    static int[] Numbers(string line)
    {
        return line.Split(' ').Select(int.Parse).ToArray();
    }
}
