"""What all games share: their interface, the referee, replays. Pure numpy, no I/O."""
