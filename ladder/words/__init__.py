"""What readers are told, in their language."""
