"""Reads the numbers that are typed behind the options of commands, for ``argparse``."""

from __future__ import annotations

import argparse
import math


def positive(text: str) -> int:
    """Return a whole number from 1."""
    number = whole(text)
    if number < 1:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number


def seed(text: str) -> int:
    """Return the seed of a match."""
    number = whole(text)
    if not 0 <= number < 2**63:
        raise argparse.ArgumentTypeError("a seed is at least 0 and less than 2**63")
    return number


def whole(text: str) -> int:
    """Return a whole number."""
    try:
        return int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number") from error


def seconds(text: str) -> float:
    """Return how long something is to last, in seconds: not for ever, and not less than nothing."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 <= number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r} is no number of seconds")
    return number
