"""What the judge of every game promises: an answer as JSON, or a refusal in words."""

from __future__ import annotations

import copy
import importlib
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game import BadRequest, JsonObject
from games.registry import game_part
from tests.own import OWN

TESTS = {game: importlib.import_module(f"tests.games.{game}.test_judge") for game in OWN}
"""Each has ``REQUESTS`` that the judge of its game answers, and pairs ``REFUSED`` of a request and the complaint."""
REFUSED = [(game, *refused) for game, tests in TESTS.items() for refused in tests.REFUSED]


@pytest.mark.parametrize(("game", "request_", "complaint"), REFUSED)
def test_a_refusal_names_what_is_wrong(game: str, request_: JsonObject, complaint: str) -> None:
    with pytest.raises(BadRequest, match=complaint):
        game_part(game, "judge").judge(request_)


@st.composite
def damaged(draw: st.DrawFn, requests: Sequence[JsonObject]) -> JsonObject:
    """One of some requests, in which a value is replaced by any other."""
    request = copy.deepcopy(draw(st.sampled_from(requests)))
    place: Any = request
    key: Any = draw(st.sampled_from(sorted(request)))
    while isinstance(place[key], list) and place[key] and draw(st.booleans()):
        place, key = place[key], draw(st.integers(0, len(place[key]) - 1))
    numbers = st.integers() | st.integers(-3, 9)
    texts = st.text() | st.text("RYGB#.012345", max_size=6)
    place[key] = draw(st.none() | st.booleans() | numbers | texts | st.lists(numbers) | st.floats())
    return request


@pytest.mark.parametrize("game", OWN)
@settings(max_examples=300)
@given(data=st.data())
def test_any_damage_is_refused_or_harmless(game: str, data: st.DataObject) -> None:
    """The judge answers or raises BadRequest, nothing else."""
    try:
        answer = game_part(game, "judge").judge(data.draw(damaged(TESTS[game].REQUESTS)))
    except BadRequest:
        return
    assert json.dumps(answer)
