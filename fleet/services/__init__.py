"""Services that write: hosts, quarantine, and the counters of the metrics."""
