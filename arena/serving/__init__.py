"""How pages are served: threads, pages kept for strangers, sessions, static files, limits of bodies."""
