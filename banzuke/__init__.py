"""The command ``banzuke``, with which authors write, play and measure bots at home; it needs no running arena."""
