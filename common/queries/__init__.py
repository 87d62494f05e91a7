"""What Django does with rows, done faster: queries compiled once, answers kept, statements by hand."""
