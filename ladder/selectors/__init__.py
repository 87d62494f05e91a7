"""Reads: the queries behind the pages, each returning rows or small dataclasses ready to be shown."""
