"""Types for the material of the games' guide pages: drawings, and conversations of a bot with the referee."""
