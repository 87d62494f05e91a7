"""Texts of allauth that our catalogues translate, since allauth's own translation misleads or has mistakes.

Django prefers our catalogues to those of apps. allauth's catalogues translate all its texts that are not listed here.
"""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

RETRANSLATED = (
    _("Email (optional)"),
    _("Sign Up"),
    _("Forgotten your password? Enter your email address below, and we'll send you an email allowing you to reset it."),
    _(
        "You currently do not have any email address set up. You should really add an email address so you can receive"
        " notifications, reset your password, etc."
    ),
    _("Please Confirm Your Email Address"),
    _("Password Changed"),
    _("Email Removed"),
    _("New Recovery Codes Generated"),
    _(
        "If you do not recognize this change then please take proper security precautions immediately. The change to"
        " your account originates from:\n\n- IP address: %(ip)s\n- Browser: %(user_agent)s\n- Date: %(timestamp)s"
    ),
    _("Thank you for using %(site_name)s!\n%(site_domain)s"),
    _("Authenticator App"),
    _("An authenticator app is not active."),
    _("Authenticator app activated."),
    _("Authenticator App Activated"),
    _("Authenticator app deactivated."),
    _("Authenticator App Deactivated"),
    _("Deactivate Authenticator App"),
    _("You are about to deactivate authenticator app based authentication. Are you sure?"),
    _("Deactivate"),
)
"""The English texts, exactly as allauth has them."""
