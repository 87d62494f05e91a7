"""``manage.py hosts invite|list|revoke|restore``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from common.errors import InputError
from fleet.broker import BrokerRefused
from fleet.models import Host
from fleet.services.hosts import host_invite, host_revoke, hosts_restore, join_command


class Command(BaseCommand):
    help = "Machines that play for this arena: invite one, list them, revoke one, restore their broker users."

    def add_arguments(self, parser: CommandParser) -> None:
        acts = parser.add_subparsers(dest="act", required=True)
        invite = acts.add_parser("invite", help="print the command by which a machine joins")
        invite.add_argument("name")
        invite.add_argument("--guest", action="store_true", help="it is somebody else's: no jobs of private contests")
        acts.add_parser("list", help="all hosts and their states")
        revoke = acts.add_parser("revoke", help="turn a host away for good, at once")
        revoke.add_argument("name")
        revoke.add_argument("--reason", default="", help="for the audit log")
        acts.add_parser("restore", help="create the broker's users again: after it lost them, or after an upgrade")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            getattr(self, f"_{options['act']}")(options)
        except (InputError, BrokerRefused) as reason:
            raise CommandError(str(reason)) from reason

    def _invite(self, options: dict[str, Any]) -> None:
        token = host_invite(name=options["name"], actor=None, is_guest=options["guest"])
        self.stdout.write("Type this on the new machine, in a copy of this repository; it works once, for a day:\n")
        self.stdout.write(join_command(token=token))

    def _list(self, options: dict[str, Any]) -> None:
        rows = [f"{host.name:40} {host.get_state_display()}" for host in Host.objects.all()]
        self.stdout.write("\n".join(rows) or "No host has been invited yet.")

    def _revoke(self, options: dict[str, Any]) -> None:
        host_revoke(name=options["name"], actor=None, reason=options["reason"])
        self.stdout.write("The host is turned away; what it plays is given to others.")

    def _restore(self, options: dict[str, Any]) -> None:
        self.stdout.write(f"{len(hosts_restore())} hosts may play.")
