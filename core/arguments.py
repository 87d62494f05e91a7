"""Types of numeric command-line options, for the ``type`` argument of ``argparse``; each raises ArgumentTypeError."""

from __future__ import annotations

import argparse


def positive(text: str) -> int:
    """Parse a whole number of at least 1."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def seed(text: str) -> int:
    """Parse the seed of a match, 0 <= seed < 2**63."""
    number = whole(text)
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError("a seed is at least 0 and less than 2**63")
    return number


def whole(text: str) -> int:
    """Parse a whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error
