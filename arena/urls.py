"""The URLs of the site."""

from allauth.account.decorators import reauthentication_required
from allauth.account.views import email, password_set
from allauth.mfa.base.views import index as two_factor_index
from allauth.mfa.recovery_codes.views import view_recovery_codes
from allauth.socialaccount.views import connections, login_cancelled
from django.conf import settings
from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import include, path, register_converter
from django.views.decorators.cache import never_cache

from accounts.providers import PROVIDERS
from accounts.views import sign_in
from arena.views import home, locale
from contests.converters import ContestConverter
from downloads.converters import DayConverter
from jobs.files.transfers import transfer

register_converter(ContestConverter, "board")
register_converter(DayConverter, "day")

handler400 = "api.problems.bad_request"
handler500 = "api.problems.server_error"

urlpatterns = [
    path("", home.home, name="home"),
    path("help/", home.help_page, name="help"),
    path("about/", home.about, name="about"),
    path("language/", locale.language_choose, name="language"),
    path("favicon.ico", home.favicon, name="favicon"),
    path("robots.txt", home.robots, name="robots"),
    path("transfer/<str:token>", transfer, name="transfer"),
    path("", include("contests.urls")),  # first: /contests/new/ is no contest
    path("", include("fleet.urls")),
    path("", include("tournaments.urls")),
    path("", include("exhibitions.urls")),
    *(path("", include(f"{app}.urls")) for app in settings.GAME_APIS),
    path("", include("accounts.urls")),
    path("", include("ladder.urls")),
    path("", include("matches.urls")),
    path("", include("workshop.urls")),
    path("", include("downloads.urls")),
    path("", include("webhooks.urls")),
    path("", include("api.urls")),
    # The attack that `never_cache` stops: somebody presses Back on a shared machine after the owner has signed out.
    path("accounts/email/", never_cache(email)),
    # The attack: at a browser left open somebody sets a password for an account that has none, and so keeps it.
    path("accounts/password/set/", never_cache(reauthentication_required(password_set))),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/connections/", never_cache(login_required(connections)), name="socialaccount_connections"),
    path("accounts/connections/signup/", sign_in.provider_sign_up, name="socialaccount_signup"),
    path("accounts/connections/confirm/", sign_in.provider_confirm, name="provider_confirm"),
    path("accounts/connections/cancelled/", login_cancelled, name="socialaccount_login_cancelled"),
    *[
        route
        for name in PROVIDERS
        for route in (
            path(f"accounts/{name}/login/", sign_in.provider_login, {"name": name}, name=f"{name}_login"),
            path(f"accounts/{name}/callback/", sign_in.provider_callback, {"name": name}, name=f"{name}_callback"),
        )
    ],
    path("accounts/2fa/totp/activate/", sign_in.totp_activate),
    path("accounts/2fa/", never_cache(two_factor_index)),
    path("accounts/2fa/recovery-codes/", never_cache(view_recovery_codes)),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
]
