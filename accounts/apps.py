"""Django's name for the app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    """Users, sign-in, two factors, notifications, the audit log."""

    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Name the machine in mails, and end other sessions when second factors change."""
        from allauth.mfa import signals as two_factor_signals

        from accounts.mails import machine_named
        from accounts.two_factor import others_sign_out

        machine_named()
        two_factor_signals.authenticator_added.connect(others_sign_out)
        two_factor_signals.authenticator_removed.connect(others_sign_out)
        two_factor_signals.authenticator_reset.connect(others_sign_out)
