"""Django's name for the app."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class LadderConfig(AppConfig):
    """Accounts, bots, versions, ratings, the site's frame."""

    name = "ladder"
    verbose_name = "Ladder"

    def ready(self) -> None:
        """Register the checks of the settings, what a migrated database gets, what ends sessions; name the machine."""
        from allauth.mfa import signals as two_factor_signals

        from ladder import checks  # noqa: F401 - importing registers them
        from ladder.mails import machine_named
        from ladder.two_factor import others_sign_out

        machine_named()
        post_migrate.connect(_rows_ensure, sender=self)
        two_factor_signals.authenticator_added.connect(others_sign_out)
        two_factor_signals.authenticator_removed.connect(others_sign_out)
        two_factor_signals.authenticator_reset.connect(others_sign_out)


def _rows_ensure(**_: Any) -> None:
    from ladder.services.games import game_settings_ensure

    game_settings_ensure()
