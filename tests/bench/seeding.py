"""Makes users with an active bot each, which does nothing: ``python -m tests.bench.seeding COUNT``."""

from __future__ import annotations

import io
import sys
import tarfile

import django
from django.core.management import call_command
from django.utils import timezone

from tests.workers.conftest import GOOD_BOT


def main(count: int) -> None:
    """Make the tables and the bots. No two bots are the same program, so that any two may meet."""
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    for number in range(count):
        _bot_make(number)


def _bot_make(number: int) -> None:
    from accounts.models import User
    from jobs.files.storage import ARTIFACTS, file_store
    from ladder.models import Bot, BotVersion

    artifact = _tar("main.py", f"# {number}\n{GOOD_BOT}".encode())
    stored = file_store(store=ARTIFACTS, chunks=[artifact], max_bytes=len(artifact))
    bot = Bot.objects.create(
        owner=User.objects.create(username=f"u{number}"),
        contest_id="kakomimasu",
        game="kakomimasu",
        name=f"bot{number}",
    )
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


def _tar(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        member = tarfile.TarInfo(name)
        member.size, member.mode = len(content), 0o644
        tar.addfile(member, io.BytesIO(content))
    return file.getvalue()


if __name__ == "__main__":
    main(int(sys.argv[1]))
