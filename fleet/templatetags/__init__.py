"""Template filters of the fleet's pages."""
