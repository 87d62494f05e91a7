// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make Decide() better.
using System;
using System.Linq;

class Side
{
    public int[][] Pairs = new int[3][];  // colours of axis and child: the present pair and the two after it
    public int Score;
    public int Pending, Fixed;  // garbage of a chain that still runs, and such as falls after the next pair
    public int Carry;  // points kept
    public bool AllClear;  // the bonus for an empty field
    public int Chain;  // steps done of a chain that runs, 0: free
    public string[] Rows = new string[Player.Rows];  // the hidden one first: '.' empty, '0' garbage, '1' to '4' colours

    public int Height(int x)
    {
        return Rows.Count(row => row[x] != '.');
    }
}

static class Player
{
    public const int Columns = 6, Rows = 13, Spawn = 2;

    /// <summary>
    /// Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it.
    /// </summary>
    static string Decide(int tick, int rate, Side me, Side opponent)
    {
        int best = Spawn;
        foreach (int direction in new[] {-1, 1})
        {
            // A pair comes from the spawn column and passes no column that is 12 high.
            for (int x = Spawn + direction; x >= 0 && x < Columns && me.Height(x) < 12; x += direction)
            {
                if (me.Height(x) < me.Height(best)) best = x;
            }
        }
        return $"{best} 0";
    }

    static void Main()
    {
        Console.ReadLine();  // seat ticks rate step_ticks
        for (string line; (line = Console.ReadLine()) != null;)  // until the match has ended
        {
            int[] clock = Numbers(line);
            Side me = ReadSide();
            Side opponent = ReadSide();
            Console.WriteLine(Decide(clock[0], clock[1], me, opponent));
        }
    }

    static Side ReadSide()
    {
        var side = new Side();
        for (int i = 0; i < side.Pairs.Length; i++) side.Pairs[i] = Numbers(Console.ReadLine());
        int[] facts = Numbers(Console.ReadLine());
        side.Score = facts[0];
        side.Pending = facts[1];
        side.Fixed = facts[2];
        side.Carry = facts[3];
        side.AllClear = facts[4] == 1;
        side.Chain = facts[5];
        for (int y = 0; y < Rows; y++) side.Rows[y] = Console.ReadLine();
        return side;
    }

    static int[] Numbers(string line)
    {
        return line.Split(' ').Select(int.Parse).ToArray();
    }
}
