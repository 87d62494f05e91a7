"""Uploaded files: reading archives safely, packing them as bundles, naming pasted programs."""
