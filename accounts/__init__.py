"""Users: sign-in, two factors, sessions, notifications, and who may do what."""
