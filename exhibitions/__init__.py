"""Tables: matches in which people, or programs on their own machines, play against bots."""
