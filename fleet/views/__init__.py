"""The administrators' pages, and what machines ask for."""
