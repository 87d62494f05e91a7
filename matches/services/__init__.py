"""What changes matches: their life, pairing and ratings."""
