"""Addresses of the fleet: metrics, the administrators' pages, joining."""

from django.urls import path, re_path

from fleet import collusion_views, game_views, machines, views

app_name = "fleet"

urlpatterns = [
    path("metrics", machines.metrics, name="metrics"),
    path("fleet/", views.fleet, name="fleet"),
    re_path(r"^fleet/workers/(?P<pk>\d+)/(?P<act>scale|drain|resume)/$", views.act, name="act"),
    path("fleet/workers/<int:pk>/quarantine/", views.quarantine, name="quarantine"),
    path("fleet/hosts/", views.hosts, name="hosts"),
    path("fleet/hosts/<int:pk>/revoke/", views.revoke, name="revoke"),
    path("fleet/audit/", views.audit, name="audit"),
    path("fleet/games/", game_views.games, name="games"),
    re_path(r"^fleet/games/(?P<game>[-\w]+)/(?P<act>open|pause|freeze)/$", game_views.game_act, name="game_act"),
    path("fleet/games/<slug:game>/limits/", game_views.game_limits, name="game_limits"),
    path("fleet/collusion/", collusion_views.collusion, name="collusion"),
    path("fleet/collusion/<int:one>/<int:other>/", collusion_views.collusion_matches, name="collusion_matches"),
    path("fleet/join/", machines.join, name="join"),
]
