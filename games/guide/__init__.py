"""What the pages of the games are made of: boards to draw, and the conversation of a bot with the referee."""
