"""Operating an arena: workers, the queue, metrics, and the hosts that join it."""
