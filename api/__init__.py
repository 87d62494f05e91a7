"""The HTTP API: all that the site shows and does, for programs. Views only call services and selectors."""
