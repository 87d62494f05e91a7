"""Views of the desk, the people and the teams of contests."""
