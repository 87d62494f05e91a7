"""The Django app configuration of accounts."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class AccountsConfig(AppConfig):
    """Users, sign-in, two-factor authentication, notifications, the audit log."""

    name = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        """Set the domain of mails and the rates of limits, follow allauth's signals, and load what other apps register.

        Their modules ``exports`` register sections of the export, and ``news`` kinds of notifications.
        """
        from allauth.mfa import signals as two_factor_signals
        from allauth.socialaccount.signals import social_account_added

        from accounts.mails import mail_domain_set
        from accounts.providers import address_verify
        from accounts.two_factor import other_sessions_end
        from common.limits import rates_install

        rates_install()
        mail_domain_set()
        autodiscover_modules("exports", "news")
        two_factor_signals.authenticator_added.connect(other_sessions_end)
        two_factor_signals.authenticator_removed.connect(other_sessions_end)
        two_factor_signals.authenticator_reset.connect(other_sessions_end)
        social_account_added.connect(address_verify)
