"""Addresses of matches and their replays."""

from django.urls import path

from matches import embed_views, live_views, log_views, opponent_views, trial_views, views

app_name = "matches"

urlpatterns = [
    path("games/<slug:game>/log", log_views.game_log, name="game_log"),
    path("matches/", views.match_list, name="list"),
    path("matches/<int:pk>/", views.match, name="match"),
    path("matches/<int:pk>/state/", views.match_state, name="match_state"),
    path("matches/<int:pk>/embed/", embed_views.embed, name="embed"),
    path("matches/<int:pk>/live", live_views.live, name="live"),
    path("matches/<int:pk>/again/", views.match_again, name="match_again"),
    path("matches/<int:pk>/log/", views.match_log, name="match_log"),
    path("matches/<int:pk>/log.json", views.match_log_json, name="match_log_json"),
    path("matches/<int:pk>/replay", views.replay, name="replay"),
    path("matches/<int:pk>/replay.json", views.replay_json, name="replay_json"),
    path("versions/<int:pk>/first-games/", views.first_games, name="first_games"),
    path("versions/<int:pk>/check/", views.check_replay, name="check_replay"),
    path("versions/<int:pk>/check/replay", views.check_replay_file, name="check_replay_file"),
    path("versions/<int:pk>/check/replay.json", views.check_replay_json, name="check_replay_json"),
    path("bots/<int:pk>/opponents/", opponent_views.opponents, name="opponents"),
    path("compare/", opponent_views.compare, name="compare"),
    path("bots/<int:pk>/trials/", trial_views.trials, name="trials"),
    path("bots/<int:pk>/trials/begin/", trial_views.trial_begin, name="trial_begin"),
    path("trials/<int:pk>/", trial_views.trial, name="trial"),
    path("trials/<int:pk>/progress/", trial_views.trial_progress, name="trial_progress"),
    path("trials/<int:pk>/stop/", trial_views.trial_end, name="trial_end"),
]
