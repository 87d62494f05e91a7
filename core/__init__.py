"""The rules of the games: pure numpy, no I/O."""
