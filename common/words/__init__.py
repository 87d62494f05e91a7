"""What lower layers have to say, in the reader's language."""
