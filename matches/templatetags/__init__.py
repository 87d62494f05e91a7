"""Template tags of the matches."""
