"""Database access that is faster than Django's: compiled queries, cached reads, SQL by hand."""
