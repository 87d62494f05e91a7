"""Random positions have the results of the plain reference."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from games.kakomimasu import protocol, rules
from games.kakomimasu.judge import judge
from tests.games.kakomimasu import plain
from tests.games.kakomimasu.positions import (
    Request,
    batch,
    batch_orders,
    drawn,
    fill_requests,
    turn_requests,
    vectors,
)

players = st.integers(2, 4)


def test_the_reference_repeats_vectors_itself() -> None:
    small = [vector for name in ("fill", "turn") for vector in vectors(name) if vector[0]["w"] < 10]
    assert len(small) > 100
    for request, answer in small:
        assert plain.judge(request) == answer


@settings(max_examples=100)
@given(fill_requests(players))
def test_enclosures(request: Request) -> None:
    assert judge(request) == plain.judge(request)


@settings(max_examples=200)
@given(turn_requests(players))
def test_turns(request: Request) -> None:
    assert judge(request) == plain.judge(request)


@settings(max_examples=15)
@given(st.data(), players)
def test_batches_of_enclosures(data: st.DataObject, players: int) -> None:
    requests = data.draw(st.lists(fill_requests(st.just(players)), min_size=1, max_size=10))
    state = batch(requests)
    cells, scores = state.cells.copy(), state.scores.copy()
    rules.enclose(state, cells, scores)
    for b, request in enumerate(requests):
        answer = plain.judge(request)
        assert protocol.tiles(replace(state, cells=cells), b) == drawn(request, answer["field"])
        assert scores[..., b].tolist() == answer["points"]


@settings(max_examples=25)
@given(st.data(), players)
def test_batches_of_turns(data: st.DataObject, players: int) -> None:
    requests = data.draw(st.lists(turn_requests(st.just(players), plain=True), min_size=1, max_size=10))
    state = batch(requests)
    after = rules.step(state, batch_orders(requests, state))
    for b, request in enumerate(requests):
        answer = plain.judge(request)
        assert protocol.tiles(after, b) == drawn(request, answer["field"])
        assert protocol.agents(after, b) == answer["agents"]
        assert after.scores[..., b].tolist() == answer["points"]
        for results, sent, expected in zip(protocol.results(after, b), request["actions"], answer["res"], strict=True):
            assert [results[order[0]] for order in sent] == expected


@settings(max_examples=100)
@given(fill_requests(players, side=6))
def test_the_article_agrees_where_rings_are_not_nested_deeply(request: Request) -> None:
    """On 6x6 cells no three rings fit inside each other."""
    assert judge(request | {"fill": "2020"})["field"] == judge(request)["field"]
