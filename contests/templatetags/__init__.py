"""Template tags of contests."""
