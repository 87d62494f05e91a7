"""Tests of the API of the Kakomimasu project."""
