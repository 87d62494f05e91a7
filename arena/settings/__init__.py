"""Settings: ``base`` holds what is always true; ``embedded``, ``production`` and ``test`` say where the data lives."""
