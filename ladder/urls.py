"""All addresses of the site."""

from allauth.account.views import email
from allauth.mfa.base.views import index as two_factor_index
from allauth.mfa.recovery_codes.views import view_recovery_codes
from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path
from django.views.decorators.cache import never_cache

from ladder.files.transfers import transfer
from ladder.views import (
    accounts,
    boards,
    bots,
    guides,
    home,
    locale,
    notifications,
    profiles,
    two_factor,
    uploads,
)

app_patterns: list[URLPattern | URLResolver] = [
    path("", home.home, name="home"),
    path("help/", home.help_page, name="help"),
    path("games/", home.games, name="games"),
    path("games/<slug:game>/", boards.board, name="board"),
    re_path(r"^games/(?P<game>[-\w]+)/board\.(?P<kind>csv|json)$", boards.board_download, name="board_download"),
    path("boards/", boards.overall, name="overall"),
    re_path(r"^boards/overall\.(?P<kind>csv|json)$", boards.overall_download, name="overall_download"),
    path("games/<slug:game>/guide/", guides.guide, name="guide"),
    path("games/<slug:game>/kits/<slug:language>.zip", guides.kit, name="kit"),
    path("bots/<int:pk>/", bots.bot, name="bot"),
    path("bots/<int:pk>/delete/", bots.bot_remove, name="bot_delete"),
    path("bots/<int:pk>/versions/", bots.versions, name="versions"),
    path("users/<path:name>/", profiles.profile, name="profile"),
    path("notifications/", notifications.notifications, name="notifications"),
    path("notifications/read/", notifications.notifications_all_read, name="notifications_read"),
    path("notifications/mail/", notifications.notifications_by_mail, name="notifications_mail"),
    path("notifications/<int:pk>/", notifications.notification, name="notification"),
    path("accounts/close/", accounts.close, name="close"),
    path("mine/", bots.mine, name="mine"),
    path("upload/", uploads.upload, name="upload"),
    path("versions/<int:pk>/", uploads.version, name="version"),
    path("versions/<int:pk>/progress/", uploads.version_progress, name="version_progress"),
    path("versions/<int:pk>/again/", uploads.version_again, name="version_again"),
    path("versions/<int:pk>/upload.zip", uploads.version_download, name="version_download"),
    path("versions/<int:pk>/status.json", uploads.version_status, name="version_status"),
    re_path(r"^versions/(?P<pk>\d+)/(?P<action>retire|retry|resume)/$", uploads.version_act, name="version_act"),
    path("transfer/<str:token>", transfer, name="transfer"),
    path("language/", locale.language_choose, name="language"),
    path("favicon.ico", home.favicon, name="favicon"),
    path("robots.txt", home.robots, name="robots"),
]

handler400 = "api.problems.bad_request"
handler500 = "api.problems.server_error"

urlpatterns = [
    path("", include((app_patterns, "ladder"))),
    path("", include("matches.urls")),
    path("", include("fleet.urls")),
    path("", include("api.urls")),
    # The attack: whoever presses Back, on a machine that others use, when the owner has signed out.
    path("accounts/email/", never_cache(email)),
    path("accounts/", include("allauth.account.urls")),
    path("accounts/2fa/totp/activate/", two_factor.totp_activate),
    path("accounts/2fa/", never_cache(two_factor_index)),
    path("accounts/2fa/recovery-codes/", never_cache(view_recovery_codes)),
    path("accounts/2fa/", include("allauth.mfa.urls")),
    path("admin/", admin.site.urls),
]
