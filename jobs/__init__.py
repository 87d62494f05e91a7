"""Work for the workers: leases, the workers themselves, files that they read and store."""
