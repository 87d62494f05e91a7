"""How the web server answers: its page handler, middleware, static files, the shared cache, and limits on requests."""
