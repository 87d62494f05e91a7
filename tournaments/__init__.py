"""Tournaments: stages, rounds and tables that bots of a contest play, with standings, brackets and a ceremony."""
