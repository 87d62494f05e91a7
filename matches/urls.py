"""Urls of matches and their replays."""

from django.urls import path

from matches.views import challenges, collusion, embed, final_boards, live, logs, matches, opponents, trials

app_name = "matches"

urlpatterns = [
    path("<board:place>/desk/collusion/", collusion.collusion, name="desk_collusion"),
    path(
        "<board:place>/desk/collusion/<int:one>/<int:other>/",
        collusion.collusion_matches,
        name="desk_collusion_matches",
    ),
    path("<board:place>/log", logs.game_log, name="game_log"),
    path("<board:place>/final.json", final_boards.final_board, name="final_board"),
    path("boards/key.pem", final_boards.public_key, name="board_key"),
    path("matches/", matches.match_list, name="list"),
    path("matches/<int:pk>/", matches.match, name="match"),
    path("matches/<int:pk>/state/", matches.match_state, name="match_state"),
    path("matches/show/", embed.show, name="show"),
    path("matches/<int:pk>/embed/", embed.embed, name="embed"),
    path("matches/<int:pk>/picture.png", embed.picture, name="picture"),
    path("matches/<int:pk>/live", live.live, name="live"),
    path("matches/<int:pk>/again/", matches.match_again, name="match_again"),
    path("matches/<int:pk>/log/", matches.match_log, name="match_log"),
    path("matches/<int:pk>/log.json", matches.match_log_json, name="match_log_json"),
    path("matches/<int:pk>/replay", matches.replay, name="replay"),
    path("matches/<int:pk>/replay.json", matches.replay_json, name="replay_json"),
    path("versions/<int:pk>/first-games/", matches.first_games, name="first_games"),
    path("versions/<int:pk>/check/", matches.check_replay, name="check_replay"),
    path("versions/<int:pk>/check/log/", matches.check_log, name="check_log"),
    path("versions/<int:pk>/check/log.json", matches.check_log_json, name="check_log_json"),
    path("versions/<int:pk>/check/replay", matches.check_replay_file, name="check_replay_file"),
    path("versions/<int:pk>/check/replay.json", matches.check_replay_json, name="check_replay_json"),
    path("bots/<int:pk>/opponents/", opponents.opponents, name="opponents"),
    path("bots/<int:pk>/challenge/", challenges.challenge, name="challenge"),
    path("bots/<int:pk>/challenge/begin/", challenges.challenge_begin, name="challenge_begin"),
    path("compare/", opponents.compare, name="compare"),
    path("bots/<int:pk>/trials/", trials.trials, name="trials"),
    path("bots/<int:pk>/trials/begin/", trials.trial_begin, name="trial_begin"),
    path("trials/<int:pk>/", trials.trial, name="trial"),
    path("trials/<int:pk>/progress/", trials.trial_progress, name="trial_progress"),
    path("trials/<int:pk>/stop/", trials.trial_end, name="trial_end"),
]
