"""Urls of downloads."""

from django.urls import path

from downloads import views

app_name = "downloads"
urlpatterns = [
    path("<board:place>/downloads/", views.downloads, name="downloads"),
    path("<board:place>/downloads/<day:day>/results.jsonl.zst", views.results, name="results"),
    path("<board:place>/downloads/<day:day>/replays.tar", views.replays, name="replays"),
]
