"""Tags and filters of the fleet's pages."""
