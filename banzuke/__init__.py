"""The arena at home: the command ``banzuke``. It needs neither Django nor a database nor an arena that runs."""
