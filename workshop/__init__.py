"""The workshop: programs that are written, tried and submitted in the browser."""
