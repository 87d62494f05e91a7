"""Files that workers read and store."""
