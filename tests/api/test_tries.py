"""Tries by the API: files are played once, for their author alone."""

from __future__ import annotations

from typing import Any

import pytest

from contests.models import Contest
from core.replay import decode
from matches.models import Match
from tests.api.conftest import Arena
from tests.contests.makers import make_contest
from tests.matches.makers import finish_random_match
from workshop.models import Try

pytestmark = pytest.mark.django_db

FILES = {"main.py": "print()\n", "lib/words.txt": ""}


def begun(arena: Arena, visitor: str = "user", **body: Any) -> Any:
    sent = {"game": "kakomimasu", "files": FILES, **body}
    return arena.client(visitor).post("/api/v1/tries/", sent, content_type="application/json")


def test_a_program_begins_a_try_against_a_bot(arena: Arena) -> None:
    answer = begun(arena, bot=arena.bot.pk, seat=1, seed=7)
    assert answer.status_code == 201, answer.content
    told = answer.json()
    tried = Try.objects.get(pk=told["id"])
    assert (tried.owner, tried.opponent, tried.seat, tried.seed) == (arena.stranger, arena.version, 1, 7)
    assert (told["state"], told["seats"], answer["Location"]) == (
        "waiting",
        ["Moat", "bob"],
        f"/api/v1/tries/{tried.pk}/",
    )
    busy = begun(arena)
    assert (busy.status_code, busy.json()["type"]) == (409, "/api/#busy")
    assert busy.json()["detail"] == "Your last try has not ended. Please wait for its result."


def test_a_copy_plays_where_no_bot_is_named(arena: Arena) -> None:
    assert begun(arena).json()["seats"] == ["bob", "bob"]


@pytest.mark.parametrize(
    ("body", "status", "word"),
    [
        ({"files": {}}, 422, "There is no file."),
        ({"files": {"../main.py": ""}}, 422, "main.py"),
        ({"files": {"main.py": "x" * 600_000}}, 422, "larger than 512 KiB"),
        ({"files": {"main.py": "x" * 5_000_000}}, 400, "it has more than 4194304 bytes"),
        ({"files": {"main.py": "\0"}}, 400, "Null characters"),
        ({"files": ["main.py"]}, 400, "files"),
        ({"language": "cobol"}, 400, "The language 'cobol' is not known here."),
        ({"bot": 2**40}, 404, "There is no such thing"),
        ({"seat": 2}, 422, "This match has 2 seats"),
        ({"game": "nothing"}, 400, "contest"),
        ({"contest": "hidden", "game": "hidden"}, 400, "contest"),
        ({"from_turn": 3}, 400, "Please send from_turn with either"),
        ({"from_match": 1}, 400, "Please send from_turn with either"),
        ({"from_match": 1, "from_try": 1, "from_turn": 3}, 400, "Please send from_turn with either"),
        ({"from_match": 1, "from_turn": 3, "seed": 7}, 400, "and no seed"),
        ({"from_match": 2**40, "from_turn": 3}, 422, "There is no such match"),
    ],
)
def test_what_cannot_be_tried_is_refused(arena: Arena, body: dict[str, Any], status: int, word: str) -> None:
    make_contest("hidden", visibility=Contest.Visibility.PRIVATE)
    answer = begun(arena, **body)
    assert answer.status_code == status, answer.content
    assert word in answer.content.decode()
    assert Try.objects.get() == arena.tried


def test_a_program_plays_on_from_a_match_or_a_try_that_its_author_sees(arena: Arena) -> None:
    match = finish_random_match("kakomimasu")
    tried = Try.objects.get(pk=begun(arena, from_match=match.pk, from_turn=4).json()["id"])
    assert (tried.seed, len(tried.played)) == (match.seed, 3)
    played = {"turns": match.result.turns, "replay_digest": match.result.replay_digest}
    Try.objects.filter(pk=tried.pk).update(state=Try.State.FINISHED, **played)
    again = Try.objects.get(pk=begun(arena, from_try=tried.pk, from_turn=2).json()["id"])
    assert (again.seed, len(again.played)) == (match.seed, 1)
    assert begun(arena, "owner", from_try=tried.pk, from_turn=2).status_code == 422
    Match.objects.filter(pk=match.pk).update(kind=Match.Kind.TOURNAMENT, is_hidden=True)
    assert begun(arena, "owner", from_match=match.pk, from_turn=4).status_code == 422


def test_authors_see_the_result_and_their_own_turns_alone(arena: Arena) -> None:
    client, url = arena.client("owner"), f"/api/v1/tries/{arena.tried.pk}/"
    told = client.get(url).json()
    assert (told["state"], told["verdict"], told["turn"], told["ranks"]) == ("finished", "crashed", 3, [2, 1])
    assert told["marks"] == [{"path": "main.py", "line": 7, "column": 0, "text": "", "is_error": True}]
    assert [turn["stderr"] for turn in client.get(f"{url}turns/").json()] == ["thought of 0"]
    replay = client.get(f"{url}replay/")
    assert (decode(replay.content)[-1]["faults"][0] is None, replay["Cache-Control"].split(",")[0]) == (True, "private")
