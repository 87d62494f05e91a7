// A bot for Back to the Code that goes to the nearest free cell. Make Decide() better.
using System;
using System.Linq;

static class Player
{
    const int Width = 35, Height = 20;

    /// <summary>
    /// Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
    ///
    /// round: from 1, it drops when somebody goes BACK. players: {x, y, back} of you, then of the others; back is 1
    /// while the BACK is left, (-1, -1) is out of the match. rows[y][x]: '.' neutral, '0' yours, else the number of its
    /// owner. (0, 0) is the top left cell.
    /// </summary>
    static string Decide(int round, int[][] players, string[] rows)
    {
        int myX = players[0][0], myY = players[0][1];
        int x = myX, y = myY, nearest = Width + Height;
        for (int v = 0; v < Height; v++)
        {
            for (int u = 0; u < Width; u++)
            {
                int steps = Math.Abs(u - myX) + Math.Abs(v - myY);
                if (rows[v][u] == '.' && steps < nearest) (x, y, nearest) = (u, v, steps);
            }
        }
        return $"{x} {y}";
    }

    static void Main()
    {
        var players = new int[1 + int.Parse(Console.ReadLine())][];
        var rows = new string[Height];
        for (string line; (line = Console.ReadLine()) != null;)  // until the match has ended
        {
            for (int i = 0; i < players.Length; i++)
            {
                players[i] = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
            }
            for (int y = 0; y < Height; y++) rows[y] = Console.ReadLine();
            Console.WriteLine(Decide(int.Parse(line), players, rows));
        }
    }
}
