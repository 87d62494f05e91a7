"""Numbers in JSON, which has one type for all: 5.0 is the whole number 5, and some languages write it so."""

from __future__ import annotations

from typing import Any

_EXACT_MAX = 2**53
"""Floats beyond it do not say which whole number was meant."""


def whole_numbers(value: Any) -> Any:
    """Return decoded JSON with each float that is a whole number, such as 5.0, as an int.

    Raises:
        RecursionError: the value is nested too deeply.
    """
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) <= _EXACT_MAX else value
    if isinstance(value, list):
        return [whole_numbers(each) for each in value]
    if isinstance(value, dict):
        return {name: whole_numbers(each) for name, each in value.items()}
    return value
