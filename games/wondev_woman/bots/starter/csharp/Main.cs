// A bot for Wondev Woman that takes any legal action. Make Decide() better.
using System;
using System.Linq;

static class Player
{
    static readonly Random dice = new Random(1);  // seeded, so that the same match is played the same way again

    /// <summary>
    /// rows[y][x]: '.' no cell, '0' to '3' its height, '4' closed for ever. mine, foes: {x, y} of each unit, {-1, -1} if
    /// hidden. actions: the legal ones, never empty. (0, 0) is the top left cell.
    /// </summary>
    static string Decide(string[] rows, int[][] mine, int[][] foes, string[] actions)
    {
        return actions[dice.Next(actions.Length)];
    }

    static void Main()
    {
        int size = int.Parse(Console.ReadLine());
        int units = int.Parse(Console.ReadLine());
        for (string first; (first = Console.ReadLine()) != null;)  // until the match has ended
        {
            var rows = new string[size];
            rows[0] = first;
            for (int y = 1; y < size; y++) rows[y] = Console.ReadLine();
            int[][] mine = Cells(units);
            int[][] foes = Cells(units);
            var actions = new string[int.Parse(Console.ReadLine())];
            for (int i = 0; i < actions.Length; i++) actions[i] = Console.ReadLine();
            Console.WriteLine(actions.Length > 0 ? Decide(rows, mine, foes, actions) : "ACCEPT-DEFEAT");
        }
    }

    static int[][] Cells(int count)
    {
        var cells = new int[count][];
        for (int i = 0; i < count; i++) cells[i] = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
        return cells;
    }
}
