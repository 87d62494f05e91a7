"""The pages of exhibitions, and the urls at which remote seats are asked and answer."""
