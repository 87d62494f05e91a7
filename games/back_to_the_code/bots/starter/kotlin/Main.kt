// A bot for Back to the Code that goes to the nearest free cell. Make decide() better.
import kotlin.math.abs

const val WIDTH = 35
const val HEIGHT = 20

class Player(val x: Int, val y: Int, val back: Boolean)  // back: the BACK is left; (-1, -1) is out of the match

/**
 * Return "x y", a cell to go towards, one step a round; or once in a match "BACK k", k from 1 to 25.
 *
 * round: from 1, it drops when somebody goes BACK. players: you, then the others. rows[y][x]: '.' neutral, '0' yours,
 * else the number of its owner. (0, 0) is the top left cell.
 */
fun decide(round: Int, players: List<Player>, rows: List<String>): String {
    val me = players[0]
    var best = "${me.x} ${me.y}"
    var nearest = WIDTH + HEIGHT
    for (y in 0 until HEIGHT) {
        for (x in 0 until WIDTH) {
            val steps = abs(x - me.x) + abs(y - me.y)
            if (rows[y][x] == '.' && steps < nearest) {
                best = "$x $y"
                nearest = steps
            }
        }
    }
    return best
}

fun main() {
    val count = 1 + readLine()!!.toInt()
    while (true) {
        val round = (readLine() ?: return).toInt()  // no line: the match has ended
        val players = List(count) {
            val (x, y, back) = readLine()!!.split(" ").map { it.toInt() }
            Player(x, y, back == 1)
        }
        println(decide(round, players, List(HEIGHT) { readLine()!! }))
    }
}
