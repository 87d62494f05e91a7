"""The urls of the API: at the root of the site, where the project's clients look for them at any host."""

from django.urls import path, re_path

from kakomimasu_api import views

app_name = "kakomimasu"
urlpatterns = [
    path("v1/matches/free/players", views.free_players, name="free_players"),
    path("v1/matches/ai/players", views.ai_players, name="ai_players"),
    path("v1/matches/<str:key>/players", views.game_players, name="game_players"),
    path("v1/matches/<str:key>/actions", views.game_actions, name="game_actions"),
    path("v1/matches/<str:key>", views.game, name="game_told"),
    re_path(r"^(?:v1|version)(?:/|$)", views.unknown, name="unknown"),
]
