"""The queue layer: leases, dispatch to workers, the register of workers, and the files that workers read and store."""
