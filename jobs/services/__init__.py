"""Writes of workers and queues."""
