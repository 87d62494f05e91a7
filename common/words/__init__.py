"""English sentences of lower layers, and their translation for readers."""
