"""scatter: plays Smash the Code by putting each pair upright on a random column, the lower ones more often.

It answers the column alone, as the first bots of the contest did.
"""

import random

COLUMNS, ROWS, KNOWN = 6, 12, 8


def main() -> None:
    """Play a match."""
    has_scores = None
    while True:
        pairs = [input() for _ in range(KNOWN)]
        first = input()
        if has_scores is None:  # the first fields are empty, so that a score is no row
            has_scores = first != "." * COLUMNS
        mine = [input() if has_scores else first, *(input() for _ in range(ROWS - 1))]
        other = [input() for _ in range(ROWS + has_scores)]
        random.seed(f"{pairs} {mine} {other}")  # the same match is played the same way again
        free = [sum(row[x] == "." for row in mine) for x in range(COLUMNS)]
        print(*random.choices(range(COLUMNS), [max(0, number - 1) + 0.001 for number in free]), flush=True)


main()
