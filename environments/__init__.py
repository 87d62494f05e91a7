"""The games as environments for learning: ``one_seat`` for Gymnasium, ``all_seats`` for PettingZoo."""
