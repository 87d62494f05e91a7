"""URLs of the fleet: health, metrics, the administrators' pages, joining."""

from django.urls import path, re_path

from fleet.views import audit, collusion, contests, desk, health, hosts, machines, overview

app_name = "fleet"

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("livez", health.livez, name="livez"),
    path("metrics", machines.metrics, name="metrics"),
    path("fleet/", overview.fleet, name="fleet"),
    re_path(r"^fleet/workers/(?P<pk>\d+)/(?P<act>scale|drain|resume)/$", overview.act, name="act"),
    path("fleet/workers/<int:pk>/quarantine/", overview.quarantine, name="quarantine"),
    path("fleet/hosts/", hosts.hosts, name="hosts"),
    path("fleet/hosts/<int:pk>/revoke/", hosts.revoke, name="revoke"),
    path("fleet/audit/", audit.audit, name="audit"),
    path("fleet/contests/", contests.contests, name="contests"),
    path("fleet/collusion/", collusion.collusion, name="collusion"),
    path("fleet/collusion/<int:one>/<int:other>/", collusion.collusion_matches, name="collusion_matches"),
    path("fleet/join/", machines.join, name="join"),
    path("contests/new/", desk.contest_new, name="contest_new"),
    path("<board:place>/desk/", desk.desk, name="desk"),
    path("<board:place>/desk/settings/", desk.settings_page, name="desk_settings"),
    path("<board:place>/desk/delete/", desk.delete, name="desk_delete"),
    path("<board:place>/desk/disqualify/", desk.disqualify, name="desk_disqualify"),
    path("<board:place>/desk/announce/", desk.announce, name="desk_announce"),
    path("<board:place>/desk/announcements/<int:pk>/delete/", desk.announcement_end, name="desk_announcement_delete"),
    path("<board:place>/desk/collusion/", desk.desk_collusion, name="desk_collusion"),
    path(
        "<board:place>/desk/collusion/<int:one>/<int:other>/",
        desk.desk_collusion_matches,
        name="desk_collusion_matches",
    ),
    path("<board:place>/desk/<slug:act>/", desk.act, name="desk_act"),
]
