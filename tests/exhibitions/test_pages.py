"""The pages of tables: opening one, who gets its events and answers, and what its page offers after the end."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from ladder.models import BotVersion
from matches.models import Match, RemoteSeat
from tests.exhibitions.makers import make_worker
from tests.ladder.makers import make_rating
from tests.matches.makers import make_version

pytestmark = pytest.mark.django_db
PLAY = "/play/games/kakomimasu/"


@pytest.fixture(autouse=True)
def worker() -> None:
    make_worker()


@pytest.fixture
def bot() -> BotVersion:
    version = make_version("Beta")
    make_rating(version, 1500, rank=1, rank_best=1, rank_worst=1)
    return version


@pytest.fixture
def player(bot: BotVersion) -> Client:
    """A guest who has opened a table."""
    client = Client()
    opened = client.post(PLAY, {"bot": bot.bot_id, "seats": 2, "seat": 1, "pace": 60})
    assert opened.status_code == 302
    return client


def test_a_guest_chooses_a_bot_by_its_strength_and_opens_a_table(player: Client, bot: BotVersion) -> None:
    page = player.get(PLAY).content.decode()
    seat = RemoteSeat.objects.select_related("match").get()

    assert "Beta" in page
    assert "1500 Elo" in page
    assert "rank 1 of 1" in page
    assert reverse("exhibitions:table", args=[seat.match_id]) in page  # the way back to an open table
    assert (seat.index, seat.name, seat.clock_seconds) == (1, "Guest", 60)
    assert seat.match.kind == Match.Kind.EXHIBITION
    assert player.get(f"/play/tables/{seat.match_id}/").status_code == 200


def test_a_form_that_does_not_fit_opens_no_table(bot: BotVersion) -> None:
    for data in (
        {"bot": bot.bot_id + 1, "seats": 2, "pace": 60},
        {"bot": bot.bot_id, "seats": 9, "pace": 60},
        {"bot": bot.bot_id, "seats": 2, "seat": 2, "pace": 60},
        {"bot": bot.bot_id, "seats": 3, "pace": 60},
        {"bot": bot.bot_id, "seats": 2, "pace": 0},  # guests may not think without a limit
        {"bot": "x" * 5000},
    ):
        answer = Client().post(PLAY, data)
        assert answer.status_code == 200
        assert "notice-error" in answer.content.decode()
    assert not RemoteSeat.objects.exists()


def test_nobody_else_gets_the_events_or_answers_of_a_seat(player: Client) -> None:
    pk = RemoteSeat.objects.get().match_id
    stranger = Client()

    assert stranger.get(f"/play/tables/{pk}/")["Location"] == f"/matches/{pk}/"
    assert stranger.get(f"/play/tables/{pk}/events/").status_code == 404
    for act in ("answer", "take-over"):
        assert stranger.post(f"/play/tables/{pk}/{act}/").status_code == 404
    answer = player.post(f"/play/tables/{pk}/answer/", b"{", content_type="application/json")
    assert answer.status_code == 400
    assert (
        player.post(f"/play/tables/{pk}/answer/", b" " * 1_000_000, content_type="application/json").status_code == 413
    )


def test_after_the_end_the_page_tells_the_result_and_offers_what_next(player: Client) -> None:
    seat = RemoteSeat.objects.select_related("match").get()
    Match.objects.filter(pk=seat.match_id).update(state=Match.State.VOID)

    page = player.get(f"/play/tables/{seat.match_id}/").content.decode()

    assert "This table has ended without a result." in page
    assert "take-over" not in page
    assert "Watch the replay" not in page
    assert f"{PLAY}?bot=" in page
    assert "/games/kakomimasu/guide/" in page
    refused = player.post(f"/play/tables/{seat.match_id}/take-over/", {"turn": 1, "seat": 7}, follow=True)
    assert "Please choose a turn and a seat of this match." in refused.content.decode()
    refused = player.post(f"/play/tables/{seat.match_id}/take-over/", {"turn": 1, "seat": 0}, follow=True)
    assert "Nobody can take over a seat of this match." in refused.content.decode()
