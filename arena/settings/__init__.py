"""Settings: ``base`` is shared by all; ``embedded`` (one machine), ``production`` (many) and ``test`` extend it."""
