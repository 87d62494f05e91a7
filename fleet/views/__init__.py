"""Views of the administrators' pages, of health checks, metrics and joining."""
