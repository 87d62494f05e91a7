"""Views of the project's own pages."""
