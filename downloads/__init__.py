"""Files of a contest for download: the results and the replays of each day."""
