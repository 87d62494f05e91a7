// A bot for Attack 25 that bids little and takes the first panel it may. Make Bid(), Pick() and Erase() better.
using System;
using System.Linq;

static class Player
{
    static char colour;  // yours: R, G, W or B
    static int round;  // from 1
    static bool chance;  // this round is the Attack Chance: who takes a panel also empties one
    static string board;  // board[1] to board[25]: the owner of a panel, '.' nobody
    static int[] chips;  // of R, G, W, B, of those who play
    static string[] order;  // who wins a tie, first to last
    static string[] last;  // the last round: panel, colour, bids, and the panel emptied, if one was

    static int Bid()
    {
        return Math.Min(4, chips["RGWB".IndexOf(colour)]);
    }

    /// <summary>You won: return which of these panels you take.</summary>
    static int Pick(int[] panels)
    {
        return panels[0];
    }

    /// <summary>
    /// You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours.
    /// </summary>
    static int Erase(int taken)
    {
        for (int panel = 1; panel <= 25; panel++)
        {
            if (board[panel] != '.' && board[panel] != colour) return panel;
        }
        return taken;
    }

    static void Main()
    {
        string[] facts = Console.ReadLine().Split(' ');
        colour = facts[0][0];
        bool bidding = facts[2] == "bid";
        for (string line; (line = Console.ReadLine()) != null;)  // until the match has ended
        {
            string[] heading = line.Split(' ');
            if (heading[0] == "BID")
            {
                ReadRound(heading);
                if (bidding) Console.WriteLine(Bid());
            }
            else  // PICK round chance class panels
            {
                int panel = Pick(heading[4].Split(',').Select(int.Parse).ToArray());
                Console.WriteLine(chance ? $"{panel} {Erase(panel)}" : $"{panel}");
            }
        }
    }

    static void ReadRound(string[] heading)
    {
        round = int.Parse(heading[1]);
        chance = heading[2] == "1";
        board = "#";
        for (int row = 0; row < 5; row++) board += Console.ReadLine();
        chips = Console.ReadLine().Split(' ').Select(int.Parse).ToArray();
        order = Console.ReadLine().Split(' ');
        last = Console.ReadLine().Split(' ');
    }
}
