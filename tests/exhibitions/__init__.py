"""Tests of exhibitions: tables with people and remote programs."""
