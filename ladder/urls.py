"""Urls of bots, versions, boards, guides and profiles."""

from django.urls import path, re_path

from ladder.views import boards, bots, desk, feeds, following, guides, profiles, uploads

app_name = "ladder"
urlpatterns = [
    path("games/", boards.games, name="games"),
    path("contests/", boards.contests, name="contests"),
    path("<board:place>/", boards.board, name="board"),
    path("<board:place>/calendar.ics", boards.calendar, name="calendar"),
    path("<board:place>/board.<str:kind>", boards.board_download, name="board_download"),
    path("boards/", boards.overall, name="overall"),
    re_path(r"^boards/overall\.(?P<kind>csv|json)$", boards.overall_download, name="overall_download"),
    path("<board:place>/guide/", guides.guide, name="guide"),
    path("<board:place>/kits/<slug:language>.zip", guides.kit, name="kit"),
    path("<board:place>/desk/disqualify/", desk.disqualify, name="desk_disqualify"),
    path("<board:place>/desk/announce/", desk.announce, name="desk_announce"),
    path("<board:place>/desk/announcements/<int:pk>/delete/", desk.announcement_end, name="desk_announcement_delete"),
    path("bots/<int:pk>/", bots.bot, name="bot"),
    path("bots/<int:pk>/feed.atom", feeds.bot_feed, name="bot_feed"),
    path("users/<path:name>/feed.atom", feeds.person_feed, name="person_feed"),
    path("bots/<int:pk>/enter/", bots.bot_enter, name="bot_enter"),
    path("bots/<int:pk>/delete/", bots.bot_remove, name="bot_delete"),
    path("bots/<int:pk>/versions/", bots.versions, name="versions"),
    path("users/<path:name>/", profiles.profile, name="profile"),
    path("mine/", bots.mine, name="mine"),
    path("following/", following.following, name="following"),
    path("upload/", uploads.upload, name="upload"),
    path("versions/<int:pk>/", uploads.version, name="version"),
    path("versions/<int:pk>/progress/", uploads.version_progress, name="version_progress"),
    path("versions/<int:pk>/again/", uploads.version_again, name="version_again"),
    path("versions/<int:pk>/upload.zip", uploads.version_download, name="version_download"),
    path("versions/<int:pk>/status.json", uploads.version_status, name="version_status"),
    re_path(r"^versions/(?P<pk>\d+)/(?P<action>retire|retry|resume)/$", uploads.version_act, name="version_act"),
]
