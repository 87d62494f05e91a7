"""Pages of the project."""
