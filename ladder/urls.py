"""All addresses of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path, re_path

from ladder import board_views, guide_views, notification_views, views
from ladder.locale_views import language_choose
from ladder.profile_views import profile
from ladder.transfers import transfer

app_patterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("games/", views.games, name="games"),
    path("games/<slug:game>/", board_views.board, name="board"),
    re_path(r"^games/(?P<game>[-\w]+)/board\.(?P<kind>csv|json)$", board_views.board_download, name="board_download"),
    path("boards/", board_views.overall, name="overall"),
    path("games/<slug:game>/guide/", guide_views.guide, name="guide"),
    path("games/<slug:game>/kits/<slug:language>.zip", views.kit, name="kit"),
    path("bots/<int:pk>/", views.bot, name="bot"),
    path("users/<path:name>/", profile, name="profile"),
    path("notifications/", notification_views.notifications, name="notifications"),
    path("notifications/read/", notification_views.notifications_all_read, name="notifications_read"),
    path("notifications/<int:pk>/", notification_views.notification, name="notification"),
    path("mine/", views.mine, name="mine"),
    path("upload/", views.upload, name="upload"),
    path("versions/<int:pk>/", views.version, name="version"),
    path("versions/<int:pk>/progress/", views.version_progress, name="version_progress"),
    path("versions/<int:pk>/status.json", views.version_status, name="version_status"),
    re_path(r"^versions/(?P<pk>\d+)/(?P<action>retire|retry|resume)/$", views.version_act, name="version_act"),
    path("transfer/<str:token>", transfer, name="transfer"),
    path("language/", language_choose, name="language"),
    path("healthz", views.healthz, name="healthz"),
    path("livez", views.livez, name="livez"),
]

handler500 = "api.problems.server_error"

urlpatterns = [
    path("", include((app_patterns, "ladder"))),
    path("", include("matches.urls")),
    path("", include("fleet.urls")),
    path("", include("api.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
