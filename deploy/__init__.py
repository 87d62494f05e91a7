"""Starts and stops an arena, and the servers and checks of the tests."""
