"""Urls of exhibitions: the pages under ``/play/``."""

from django.urls import path

from exhibitions.views import opening, tables

app_name = "exhibitions"
urlpatterns = [
    path("play/", opening.play, name="play"),
    path("play/<board:place>/", opening.play_contest, name="play_contest"),
    path("play/tables/<int:pk>/", tables.table, name="table"),
    path("play/tables/<int:pk>/events/", tables.table_events, name="table_events"),
    path("play/tables/<int:pk>/answer/", tables.table_answer, name="table_answer"),
    path("play/tables/<int:pk>/take-over/", tables.table_take_over, name="table_take_over"),
]
