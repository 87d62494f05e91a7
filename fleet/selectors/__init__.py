"""What the fleet's pages and metrics read."""
