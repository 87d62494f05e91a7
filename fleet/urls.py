"""URLs of the fleet: health, metrics, the administrators' pages, joining."""

from django.urls import path, re_path

from fleet.views import audit, contests, health, hosts, machines, overview

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
    path("fleet/collusion/", contests.collusion, name="collusion"),
    path("fleet/collusion/<int:one>/<int:other>/", contests.collusion_matches, name="collusion_matches"),
    path("fleet/join/", machines.join, name="join"),
]
