"""All addresses of the site."""

from django.contrib import admin
from django.urls import URLPattern, URLResolver, include, path

app_patterns: list[URLPattern | URLResolver] = []

urlpatterns = [
    path("", include((app_patterns, "ladder"))),
    path("", include("matches.urls")),
    path("accounts/", include("allauth.account.urls")),
    path("admin/", admin.site.urls),
]
