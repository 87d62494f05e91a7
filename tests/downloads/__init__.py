"""Tests of downloads: the files of each day."""
