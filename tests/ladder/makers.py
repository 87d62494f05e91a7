"""Functions that create rows and uploads for tests."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from ladder.models import Bot, BotVersion, Rating
from ladder.services.standings import leagues_update, standings_fill

DIGEST = "d" * 64
SOURCE = b"print('NONE')\n"


def make_user(name: str = "alice", **fields: Any) -> User:
    return User.objects.create_user(username=name, password="correct horse", **fields)


def cookie_header(name: str, value: str) -> dict[str, str]:
    """Return a request header with a cookie of any characters; Python's own cookies refuse control characters."""
    return {"cookie": f'{name}="' + "".join(f"\\{ord(character):03o}" for character in value) + '"'}


def make_bot(name: str = "Moat", owner: User | None = None, **fields: Any) -> Bot:
    owner = owner or User.objects.filter(username="alice").first() or make_user()
    return Bot.objects.create(owner=owner, contest_id="kakomimasu", game="kakomimasu", name=name, **fields)


def make_version(bot: Bot | None = None, **fields: Any) -> BotVersion:
    """Create a version with the next number of its bot; active unless ``state`` is given."""
    bot = bot or make_bot()
    row = {
        "number": bot.versions.count() + 1,
        "state": BotVersion.State.ACTIVE,
        "artifact_digest": DIGEST,
        "bundle_digest": DIGEST,
        "bundle_bytes": 1_000,
        "language": "python",
        "upload_name": "main.py",
    }
    if fields.get("state", row["state"]) in (*BotVersion.ON_BOARD, BotVersion.State.RETIRED):
        row["activated_at"] = timezone.now()
    return BotVersion.objects.create(bot=bot, **row | fields)


def make_rating(version: BotVersion, rating: float = 1500.0, **fields: Any) -> Rating:
    row = {"standard_error": 20.0, "games": 50, "fitted_at": timezone.now(), "last_match_at": timezone.now()}
    return Rating.objects.create(version=version, contest_id=version.bot.contest_id, rating=rating, **row | fields)


@transaction.atomic
def make_standings(game: str = "kakomimasu") -> None:
    """Set ranks and leagues for all ratings of a game, as a fit does."""
    ratings = list(Rating.objects.filter(version__bot__contest=game))
    standings_fill(contest=game, ratings=ratings)
    for rating in ratings:
        rating.save()
    leagues_update(contest=game, ratings=ratings)


def make_ranked(name: str, rating: float, **fields: Any) -> BotVersion:
    """Create a bot with an active, rated version."""
    version = make_version(make_bot(name))
    make_rating(version, rating, **fields)
    return version


def zip_of(files: Mapping[str, bytes | str], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return files as a zip with the earliest date, so that the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return buffer.getvalue()


def an_upload(content: bytes = SOURCE, name: str = "main.py") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)
