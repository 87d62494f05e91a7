"""The command ``manage.py housebots_load``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from ladder.services.housebots import housebots_load


class Command(BaseCommand):
    help = "Bring the house bots up to date with the folder bots/: new and changed ones are built."

    def handle(self, *args: Any, **options: Any) -> None:
        for version in housebots_load():
            self.stdout.write(f"House bot {version} is being built.")
