"""``python -m tests.bench.seeding COUNT``: so many users, each with an active bot that does nothing."""

from __future__ import annotations

import sys

import django
from django.core.management import call_command
from django.utils import timezone

from core.tars import ArchiveEntry, tar_of
from tests.workers.conftest import GOOD_BOT


def main(count: int) -> None:
    """Make the tables and the bots; no two are the same program, so that each may meet each."""
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    for number in range(count):
        _bot_make(number)


def _bot_make(number: int) -> None:
    from accounts.models import User
    from jobs.files.storage import ARTIFACTS, file_store
    from ladder.models import Bot, BotVersion

    artifact = tar_of([ArchiveEntry("main.py", f"# {number}\n{GOOD_BOT}".encode())])
    stored = file_store(store=ARTIFACTS, chunks=[artifact], max_bytes=len(artifact))
    bot = Bot.objects.create(owner=User.objects.create(username=f"u{number}"), game="kakomimasu", name=f"bot{number}")
    BotVersion.objects.create(
        bot=bot,
        number=1,
        state=BotVersion.State.ACTIVE,
        activated_at=timezone.now(),
        artifact_digest=stored.digest,
        bundle_digest=stored.digest,
        bundle_bytes=stored.size_bytes,
        language="python",
        entry="main.py",
        upload_name="main.py",
    )


if __name__ == "__main__":
    main(int(sys.argv[1]))
