"""Urls of tournaments. Stages and rounds count from 1 in urls."""

from django.urls import path

from tournaments.views import pages

app_name = "tournaments"
HOME = "<board:place>/tournaments/"
ONE = f"{HOME}<slug:tournament>/"

urlpatterns = [
    path(HOME, pages.tournaments, name="tournaments"),
    path(ONE, pages.tournament, name="tournament"),
]
