"""What the judge of every game promises: an answer as JSON, or a refusal in words."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.game import BadRequest, JsonObject
from games.registry import game_names, game_part
from tests.games.attack25 import test_judge as attack25
from tests.games.back_to_the_code import test_judge as back_to_the_code
from tests.games.kakomimasu import test_judge as kakomimasu
from tests.games.puyo import test_judge as puyo
from tests.games.wondev_woman import test_judge as wondev_woman

REQUESTS: dict[str, Sequence[JsonObject]] = {
    "attack25": [{"op": "legal", "board": attack25.SEED}, {"op": "game", "takes": attack25.whole_game()}],
    "back_to_the_code": [back_to_the_code.MATCH],
    "kakomimasu": [kakomimasu.FILL, kakomimasu.TURN],
    "puyo": [puyo.CHAIN, puyo.PLACEMENTS, puyo.SMASH, puyo.PLAY],
    "wondev_woman": [wondev_woman.INIT, wondev_woman.LEGAL, wondev_woman.APPLY],
}
REFUSED = [
    (module.__name__.split(".")[-2], *refused)
    for module in (attack25, back_to_the_code, kakomimasu, puyo, wondev_woman)
    for refused in module.REFUSED
]


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


@pytest.mark.parametrize("game", game_names())
@settings(deadline=None, max_examples=300)
@given(data=st.data())
def test_any_damage_is_refused_or_harmless(game: str, data: st.DataObject) -> None:
    """The judge answers or raises BadRequest, nothing else."""
    try:
        answer = game_part(game, "judge").judge(data.draw(damaged(REQUESTS[game])))
    except BadRequest:
        return
    assert json.dumps(answer)
