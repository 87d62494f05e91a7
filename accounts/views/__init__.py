"""Views: sign-in, and the pages of a user's own account."""
