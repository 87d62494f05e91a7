"""Reads contests, and who may see them."""
