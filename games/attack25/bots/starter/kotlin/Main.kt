// A bot for Attack 25 that bids little and takes the first panel it may. Make bid(), pick() and erase() better.
import kotlin.math.min

var colour = ' '  // yours: R, G, W or B
var round = 0  // from 1
var chance = false  // this round is the Attack Chance: who takes a panel also empties one
var board = ""  // board[1] to board[25]: the owner of a panel, '.' nobody
var chips = listOf<Int>()  // of R, G, W, B, of those who play
var order = listOf<String>()  // who wins a tie, first to last
var last = listOf<String>()  // the last round: panel, colour, bids, and the panel emptied, if one was

fun bid(): Int = min(4, chips["RGWB".indexOf(colour)])

/** You won: return which of these panels you take. */
fun pick(panels: List<Int>): Int = panels[0]

/** You won the Attack Chance: return which owned panel becomes empty. Panels just taken or turned over are yours. */
fun erase(taken: Int): Int = (1..25).find { board[it] != '.' && board[it] != colour } ?: taken

fun words(): List<String> = readLine()!!.split(" ")

fun main() {
    val facts = words()
    colour = facts[0][0]
    val bidding = facts[2] == "bid"
    while (true) {
        val heading = (readLine() ?: return).split(" ")  // no line: the match has ended
        if (heading[0] == "BID") {
            round = heading[1].toInt()
            chance = heading[2] == "1"
            board = "#" + (1..5).joinToString("") { readLine()!! }
            chips = words().map { it.toInt() }
            order = words()
            last = words()
            if (bidding) println(bid())
        } else {  // PICK round chance class panels
            val panel = pick(heading[4].split(",").map { it.toInt() })
            println(if (chance) "$panel ${erase(panel)}" else "$panel")
        }
    }
}
