"""The URLs of the site."""

from allauth.account.views import email
from allauth.mfa.base.views import index as two_factor_index
from allauth.mfa.recovery_codes.views import view_recovery_codes
from django.contrib import admin
from django.urls import include, path
from django.views.decorators.cache import never_cache

from accounts.views import totp_activate
from arena.views import home, locale
from jobs.files.transfers import transfer

handler400 = "api.problems.bad_request"
handler500 = "api.problems.server_error"

urlpatterns = [
    path("", home.home, name="home"),
    path("help/", home.help_page, name="help"),
    path("language/", locale.language_choose, name="language"),
    path("favicon.ico", home.favicon, name="favicon"),
    path("robots.txt", home.robots, name="robots"),
    path("transfer/<str:token>", transfer, name="transfer"),
    path("", include("ladder.urls")),
    path("", include("matches.urls")),
    path("", include("fleet.urls")),
    path("", include("api.urls")),
    # The attack that `never_cache` stops: somebody presses Back on a shared machine after the owner has signed out.
    path("accounts/email/", never_cache(email)),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/totp/activate/", totp_activate),
    path("accounts/2fa/", never_cache(two_factor_index)),
    path("accounts/2fa/recovery-codes/", never_cache(view_recovery_codes)),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
]
