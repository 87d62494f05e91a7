// A bot for Wondev Woman that takes any legal action. Make decide() better.
import java.util.Random

val dice = Random(1)  // seeded, so that the same match is played the same way again

class Cell(val x: Int, val y: Int)  // (0, 0) is the top left cell

/**
 * rows[y][x]: '.' no cell, '0' to '3' its height, '4' closed for ever. mine, foes: the cell of each unit, (-1, -1) if
 * hidden. actions: the legal ones, never empty.
 */
fun decide(rows: List<String>, mine: List<Cell>, foes: List<Cell>, actions: List<String>): String {
    return actions[dice.nextInt(actions.size)]
}

fun cells(count: Int): List<Cell> = List(count) {
    val (x, y) = readLine()!!.split(" ").map { it.toInt() }
    Cell(x, y)
}

fun main() {
    val size = readLine()!!.toInt()
    val units = readLine()!!.toInt()
    while (true) {
        val first = readLine() ?: return  // no line: the match has ended
        val rows = listOf(first) + List(size - 1) { readLine()!! }
        val mine = cells(units)
        val foes = cells(units)
        val actions = List(readLine()!!.toInt()) { readLine()!! }
        println(if (actions.isEmpty()) "ACCEPT-DEFEAT" else decide(rows, mine, foes, actions))
    }
}
