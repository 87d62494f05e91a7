"""A hypothesis strategy for malformed questions to the games' judges."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st


@st.composite
def damaged(
    draw: st.DrawFn, requests: Sequence[dict[str, Any]], words: st.SearchStrategy[str] | None = None
) -> dict[str, Any]:
    """Return one of the requests with one value replaced; replacing texts are drawn from ``words``, if given."""
    request = copy.deepcopy(draw(st.sampled_from(requests)))
    place: Any = request
    key: Any = draw(st.sampled_from(sorted(request)))
    while isinstance(place[key], list) and place[key] and draw(st.booleans()):
        place, key = place[key], draw(st.integers(0, len(place[key]) - 1))
    numbers = st.integers() | st.integers(-3, 9)
    texts = st.text() if words is None else words
    place[key] = draw(st.none() | st.booleans() | numbers | texts | st.lists(numbers) | st.floats())
    return request
