"""Selectors: functions that read the database and return rows or small dataclasses for pages and services."""
