"""An adapter for the HTTP API of the Kakomimasu project, so that its published clients play here unchanged.

``docs/play/kakomimasu_api.md`` describes it: which requests there are, and in what it differs from the project's own
server.
"""
