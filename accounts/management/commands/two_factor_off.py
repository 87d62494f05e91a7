"""``manage.py two_factor_off``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.models import User
from accounts.services.accounts import account_two_factor_off
from common.errors import InputError


class Command(BaseCommand):
    help = "Lets an account sign in by its password alone again: its phone and its recovery codes are lost."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="of the account")
        parser.add_argument("--reason", default="", help="for the audit log")

    def handle(self, *args: Any, **options: Any) -> None:
        user = User.objects.filter(username__iexact=options["name"]).first()
        if user is None:
            raise CommandError(f"There is no account of the name {options['name']}.")
        try:
            account_two_factor_off(user=user, actor=None, reason=options["reason"])
        except InputError as error:
            raise CommandError(str(error)) from error
        self.stdout.write(f"{user.username} signs in by the password alone now.")
