"""``manage.py demo``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from arena.demo import DemoFailed, demo


class Command(BaseCommand):
    help = "Sign up, upload a bot and wait for its place, over HTTP against a running arena."
    requires_system_checks: list[str] = []  # it only speaks HTTP

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--url", default="http://localhost:8000", help="URL of the arena (%(default)s)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            demo(options["url"].rstrip("/"), self.stdout.write)
        except DemoFailed as error:
            raise CommandError(str(error)) from error
