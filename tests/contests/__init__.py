"""Tests of contests and their people."""
