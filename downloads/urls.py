"""Urls of downloads."""

from django.urls import path

from downloads import views

app_name = "downloads"
DAY = "<board:place>/downloads/<day:day>/"
urlpatterns = [
    path("<board:place>/downloads/", views.downloads, name="downloads"),
    path(f"{DAY}results.jsonl.zst", views.file, {"kind": "results"}, name="results"),
    path(f"{DAY}replays.tar", views.file, {"kind": "replays"}, name="replays"),
]
