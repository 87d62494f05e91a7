// A bot for Kakomimasu that lets its agents stagger about. Make decide() better.
import java.util.Random

var dice = Random()  // seeded with the seat, so that the same match is played the same way again

var seat = 0
var players = 0
var width = 0
var height = 0
var agents = 0  // of each player
var turns = 0  // of the whole match
var points = listOf<List<Int>>()  // points[y][x]; (0, 0) is the top left cell
var turn = 0  // from 1
var scores = listOf<List<Int>>()  // [points of walls, points of areas] of each player
var tiles = listOf<String>()  // of each row: '.' neutral, 'A' a wall of seat 0, 'a' an area of seat 0, 'B' ..
var positions = listOf<List<List<Int>>>()  // positions[seat][agent] = [x, y]; [-1, -1] while off the board
var results = listOf<String>()  // codes of your last orders; 0: carried out

/** Return the order of one agent: PUT x y, MOVE x y, REMOVE x y (somebody's wall) or NONE. */
fun decide(agent: Int): String {
    val (x, y) = positions[seat][agent]
    if (x < 0) return "PUT ${dice.nextInt(width)} ${dice.nextInt(height)}"
    return "MOVE ${x + dice.nextInt(3) - 1} ${y + dice.nextInt(3) - 1}"
}

fun numbers(): List<Int> = readLine()!!.split(" ").map { it.toInt() }

fun main() {
    val facts = numbers()
    seat = facts[0]
    dice = Random(seat.toLong())
    players = facts[1]
    width = facts[2]
    height = facts[3]
    agents = facts[4]
    turns = facts[5]
    points = List(height) { numbers() }
    while (true) {
        turn = (readLine() ?: return).toInt()  // no line: the match has ended
        scores = List(players) { numbers() }
        tiles = List(height) { readLine()!! }
        positions = List(players) { List(agents) { numbers() } }
        results = readLine()!!.split(" ")
        for (agent in 0 until agents) println(decide(agent))
    }
}
