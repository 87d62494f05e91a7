"""``python -m deploy.prepare``: brings database, static files, administrator, hosts and house bots up to date.

It runs in a separate process, so that the supervisor loads no Django and stays small. Every step may be repeated.
"""

from __future__ import annotations

import secrets
import sys

import django
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.db import OperationalError, connection


def prepare() -> None:
    """Run all steps, and print the password of the administrator when it is created."""
    django.setup()
    if wrong := [message.msg for message in run_checks() if message.is_serious()]:
        sys.exit("\n".join(wrong))
    from jobs.files.storage import stores_probe

    try:
        stores_probe()
    except OSError as error:
        sys.exit(
            f"Bots and replays cannot be stored: {error}. Give the folder DATA to the user that the site runs as; with"
            " STORE_URL, see that the store answers and has the bucket, and let the key read, write, list and delete in"
            " it."
        )
    encoding_check()
    release_check()
    call_command("migrate", interactive=False, verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    if password := administrator_ensure():
        sys.stdout.write(f"Administrator: admin, password: {password}  (shown only this once)\n")
        sys.stdout.flush()
    host_rights_restore()
    call_command("housebots_load")


def encoding_check() -> None:
    """Exit with a sentence if the database is not in UTF-8, since it would refuse all text beyond ASCII."""
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_encoding")
        encoding = cursor.fetchone()[0]
    if encoding != "UTF8":
        sys.exit(
            f"The database keeps its text as {encoding}, and must as UTF8. Make one with `createdb --owner=banzuke"
            " --encoding=UTF8 --locale=C.UTF-8 --template=template0 NAME`, restore into it what the other one has"
            " (pg_dump, pg_restore), and name it in DATABASE_URL."
        )


def release_check() -> None:
    """Exit with a sentence if other code than this has migrated the database, whose rows this code might damage."""
    from arena.releases import Differs, difference_from_database

    found = difference_from_database()
    if found and found.differs != Differs.NEWER:
        sys.exit(found.sentence)


def host_rights_restore() -> None:
    """Give playing workers and joined hosts the rights of this release at the broker."""
    from fleet.broker import BrokerRefused, acl_file_reload
    from fleet.services.hosts import hosts_restore

    try:
        acl_file_reload()
        hosts_restore()
    except BrokerRefused as reason:  # the site can show pages without the broker
        sys.stderr.write(f"{str(reason).rstrip('.')}. When it is back, type `manage.py hosts restore`.\n")


def administrator_ensure() -> str:
    """Create the administrator's account, and return its password; empty if an administrator exists."""
    from django.contrib.auth import get_user_model

    users = get_user_model().objects
    if users.filter(is_superuser=True).exists():
        return ""
    password = secrets.token_urlsafe(12)
    users.create_superuser("admin", "", password)
    return password


if __name__ == "__main__":
    try:
        prepare()
    except ImproperlyConfigured as error:
        sys.exit(str(error))
    except OperationalError as error:
        sys.exit(f"The database cannot be used: {error}. See that it runs, and that DATABASE_URL (or DATA) names it.")
