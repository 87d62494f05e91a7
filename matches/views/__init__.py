"""Pages of matches and the endpoints that serve their replays."""
