"""The addresses, one module a subject."""
