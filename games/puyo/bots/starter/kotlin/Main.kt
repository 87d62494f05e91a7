// A bot for Puyo Puyo that puts each pair upright into the lowest column it can reach. Make decide() better.
const val COLUMNS = 6
const val ROWS = 13
const val SPAWN = 2

class Side(
    val pairs: List<List<Int>>,  // colours of axis and child: the present pair and the two after it
    facts: List<Int>,
    val rows: List<String>  // the hidden one first: '.' empty, '0' garbage, '1' to '4' colours
) {
    val score = facts[0]
    val pending = facts[1]  // garbage of a chain that still runs
    val fixed = facts[2]  // garbage that falls after the next pair
    val carry = facts[3]  // points kept
    val allClear = facts[4] == 1  // the bonus for an empty field
    val chain = facts[5]  // steps done of a chain that runs, 0: free

    fun height(x: Int): Int = rows.count { it[x] != '.' }
}

/** Return "x r": the column of the axis, from 0, and the child above (0), right (1), below (2) or left (3) of it. */
fun decide(tick: Int, rate: Int, me: Side, opponent: Side): String {
    var best = SPAWN
    for (direction in listOf(-1, 1)) {
        // A pair comes from the spawn column and passes no column that is 12 high.
        var x = SPAWN + direction
        while (x in 0 until COLUMNS && me.height(x) < 12) {
            if (me.height(x) < me.height(best)) best = x
            x += direction
        }
    }
    return "$best 0"
}

fun numbers(line: String = readLine()!!): List<Int> = line.split(" ").map { it.toInt() }

fun side(): Side = Side(List(3) { numbers() }, numbers(), List(ROWS) { readLine()!! })

fun main() {
    readLine()  // seat ticks rate step_ticks
    while (true) {
        val (tick, rate) = numbers(readLine() ?: return)  // no line: the match has ended
        println(decide(tick, rate, side(), side()))
    }
}
