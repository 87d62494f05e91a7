"""The pages of the site, apart from matches and the fleet."""
