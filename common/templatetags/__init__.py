"""Template tags of all apps."""
