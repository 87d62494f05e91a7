"""The configuration of the Django app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ContestsConfig(AppConfig):
    """Contests, their members, teams and invitations."""

    name = "contests"
    verbose_name = "Contests"

    def ready(self) -> None:
        """Make the open contest of each game after migrations, and follow closed accounts."""
        from common.signals import account_closed
        from contests.services.closing import contests_leave
        from contests.services.contests import open_contests_ensure

        post_migrate.connect(open_contests_ensure, sender=self)
        account_closed.connect(contests_leave)
