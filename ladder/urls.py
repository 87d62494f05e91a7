"""All addresses of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

from ladder.transfers import transfer

app_patterns: list[URLPattern | URLResolver] = [path("transfer/<str:token>", transfer, name="transfer")]

urlpatterns = [
    path("", include((app_patterns, "ladder"))),
    path("", include("matches.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
