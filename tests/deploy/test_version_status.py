from __future__ import annotations

import msgspec
import pytest
from django.test import Client

from arena.demo import VersionStatus
from ladder.models import BotVersion
from tests.ladder.makers import make_bot, make_rating, make_standings, make_user, make_version

pytestmark = pytest.mark.django_db


def status(version: BotVersion, client: Client) -> VersionStatus:
    client.force_login(version.bot.owner)
    return msgspec.json.decode(client.get(f"/versions/{version.pk}/status.json").content, type=VersionStatus)


def test_before_the_first_match_for_its_owner_only(client: Client) -> None:
    version = make_version(state=BotVersion.State.UPLOADED)
    now = status(version, client)
    assert (now.state, now.games, now.rating, now.interval) == ("uploaded", 0, None, None)
    assert (now.rank, now.place) == (None, None)
    client.force_login(make_user("other"))
    assert client.get(f"/versions/{version.pk}/status.json").status_code == 404


def test_a_provisional_version_has_a_rank(client: Client) -> None:
    version, better = make_version(), make_version(make_bot("Better", make_user("owner")))
    make_rating(version, 1500.0, standard_error=10.0, games=5)
    make_rating(better, 1600.0, standard_error=10.0, games=40)
    make_standings()
    now = status(version, client)
    assert (now.state, now.games, now.rating, now.rank, now.place) == ("active", 5, 1500.0, 2, 2)
    assert now.interval == pytest.approx(19.6)
    now = status(better, client)
    assert (now.games, now.rank, now.place) == (40, 1, 1)
