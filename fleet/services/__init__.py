"""What changes the fleet: hosts that join or are turned away, counters."""
