from __future__ import annotations

import msgspec
import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from arena.demo import VersionStatus
from ladder.models import Bot, BotVersion, Rating
from tests.ladder.makers import make_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def version() -> BotVersion:
    owner = User.objects.create_user("owner")
    bot = Bot.objects.create(owner=owner, game="kakomimasu", name="Waiter")
    return BotVersion.objects.create(bot=bot, number=1, bundle_digest="0" * 64, bundle_bytes=1, upload_name="a.zip")


def status(version: BotVersion, client: Client) -> VersionStatus:
    client.force_login(version.bot.owner)
    return msgspec.json.decode(client.get(f"/versions/{version.pk}/status.json").content, type=VersionStatus)


def test_before_the_first_match(version: BotVersion, client: Client) -> None:
    now = status(version, client)
    assert (now.state, now.games, now.rating, now.interval) == ("uploaded", 0, None, None)
    assert (now.rank, now.place) == (None, None)


def test_with_a_place(version: BotVersion, client: Client) -> None:
    version.state, version.artifact_digest = BotVersion.State.ACTIVE, "1" * 64
    version.save()
    Rating.objects.create(version=version, rating=1500.0, standard_error=10.0, games=40, fitted_at=timezone.now())
    make_standings()
    now = status(version, client)
    assert (now.state, now.games, now.rating, now.rank, now.place) == ("active", 40, 1500.0, 1, 1)
    assert now.interval == pytest.approx(19.6)


def test_a_provisional_version_has_a_place_but_no_rank(version: BotVersion, client: Client) -> None:
    better = Bot.objects.create(owner=version.bot.owner, game="kakomimasu", name="Better")
    for bot, rating in ((version.bot, 1500.0), (better, 1600.0)):
        found, _ = BotVersion.objects.update_or_create(
            bot=bot, number=1, defaults={"state": "active", "artifact_digest": "1" * 64, "bundle_bytes": 1}
        )
        Rating.objects.create(version=found, rating=rating, standard_error=99.0, games=5, fitted_at=timezone.now())
    make_standings()
    now = status(version, client)
    assert (now.rank, now.place) == (None, 2)


def test_other_users_get_404(version: BotVersion, client: Client) -> None:
    client.force_login(User.objects.create_user("other"))
    assert client.get(f"/versions/{version.pk}/status.json").status_code == 404
