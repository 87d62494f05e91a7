"""Addresses of the API and of its pages. Within a version of the API nothing is taken away."""

from django.urls import URLPattern, include, path, re_path

from api import pages
from api.views import announcements, bots, fleet, games, matches, people, schema, tokens, trials, versions

app_name = "api"

v1: list[URLPattern] = [
    path("schema/", schema.SchemaApi.as_view(), name="schema"),
    path("login/", tokens.LoginApi.as_view(), name="login"),
    path("tokens/", tokens.TokensApi.as_view(), name="tokens"),
    path("tokens/<slug:begins_with>/", tokens.TokenApi.as_view(), name="token"),
    path("account/", bots.AccountApi.as_view(), name="account"),
    path("users/<str:name>/", people.UserApi.as_view(), name="user"),
    path("notifications/", people.NotificationsApi.as_view(), name="notifications"),
    path("notifications/read-all/", people.NotificationsReadApi.as_view(), name="notifications_read"),
    path("notifications/<int:pk>/read/", people.NotificationReadApi.as_view(), name="notification_read"),
    path("announcements/", announcements.AnnouncementsApi.as_view(), name="announcements"),
    path("languages/", games.LanguagesApi.as_view(), name="languages"),
    path("games/", games.GamesApi.as_view(), name="games"),
    path("games/<slug:game>/", games.GameApi.as_view(), name="game"),
    path("games/<slug:game>/board/", games.BoardApi.as_view(), name="board"),
    path("games/<slug:game>/log/", games.RatingLogApi.as_view(), name="rating_log"),
    path("board/", games.OverallApi.as_view(), name="overall"),
    path("bots/<int:pk>/", bots.BotApi.as_view(), name="bot"),
    path("bots/<int:pk>/versions/", bots.BotVersionsApi.as_view(), name="bot_versions"),
    path("bots/<int:pk>/rating/", bots.BotRatingApi.as_view(), name="bot_rating"),
    path("bots/<int:pk>/opponents/", bots.OpponentsApi.as_view(), name="opponents"),
    path("bots/<int:pk>/compare/<int:other>/", bots.CompareApi.as_view(), name="compare"),
    path("bots/<int:pk>/challenge/", bots.ChallengeApi.as_view(), name="challenge"),
    path("bots/<int:pk>/matches/", bots.BotMatchesApi.as_view(), name="bot_matches"),
    path("versions/", versions.UploadApi.as_view(), name="upload"),
    path("versions/<int:pk>/", versions.OwnVersionApi.as_view(), name="version"),
    path("versions/<int:pk>/retire/", versions.RetireApi.as_view(), name="version_retire"),
    path("versions/<int:pk>/retry/", versions.RetryApi.as_view(), name="version_retry"),
    path("versions/<int:pk>/resume/", versions.ResumeApi.as_view(), name="version_resume"),
    path("versions/<int:pk>/first-games/", versions.FirstGamesApi.as_view(), name="first_games"),
    path("versions/<int:pk>/check/replay/", versions.CheckReplayApi.as_view(), name="check_replay"),
    path("versions/<int:pk>/check/turns/", versions.CheckTurnsApi.as_view(), name="check_turns"),
    path("matches/", matches.MatchesApi.as_view(), name="matches"),
    path("matches/<int:pk>/", matches.MatchApi.as_view(), name="match"),
    path("matches/<int:pk>/replay/", matches.ReplayApi.as_view(), name="replay"),
    path("matches/<int:pk>/records/", matches.RecordsApi.as_view(), name="records"),
    path("matches/<int:pk>/turns/", matches.TurnsApi.as_view(), name="turns"),
    path("matches/<int:pk>/rerun/", matches.RerunApi.as_view(), name="rerun"),
    path("trials/", trials.TrialsApi.as_view(), name="trials"),
    path("trials/<int:pk>/", trials.TrialApi.as_view(), name="trial"),
    path("trials/<int:pk>/stop/", trials.TrialStopApi.as_view(), name="trial_stop"),
    path("fleet/", fleet.FleetApi.as_view(), name="fleet"),
    path("fleet/workers/<int:pk>/", fleet.WorkerApi.as_view(), name="worker"),
    path("fleet/workers/<int:pk>/scale/", fleet.ScaleApi.as_view(), name="worker_scale"),
    path("fleet/workers/<int:pk>/drain/", fleet.DrainApi.as_view(), name="worker_drain"),
    path("fleet/workers/<int:pk>/resume/", fleet.ResumeApi.as_view(), name="worker_resume"),
    path("fleet/workers/<int:pk>/quarantine/", fleet.QuarantineApi.as_view(), name="worker_quarantine"),
    path("fleet/hosts/", fleet.HostsApi.as_view(), name="hosts"),
    path("fleet/hosts/<int:pk>/revoke/", fleet.RevokeApi.as_view(), name="host_revoke"),
    path("fleet/games/<slug:game>/state/", fleet.GameStateApi.as_view(), name="game_state"),
    path("fleet/games/<slug:game>/deadline/", fleet.GameDeadlineApi.as_view(), name="game_deadline"),
    path("fleet/games/<slug:game>/limits/", fleet.GameLimitsApi.as_view(), name="game_limits"),
    path("fleet/collusion/<slug:game>/", fleet.CollusionApi.as_view(), name="collusion"),
    path("fleet/programs/<slug:game>/", fleet.SharedProgramsApi.as_view(), name="shared_programs"),
    path("fleet/audit/", fleet.AuditApi.as_view(), name="audit"),
]

urlpatterns = [
    path("api/", pages.reference, name="reference"),
    path("api/tokens/", pages.tokens, name="token_page"),
    path("api/tokens/revoke/", pages.token_end, name="token_end"),
    path("api/v1/", include(v1)),
    re_path(r"^api/", schema.NothingApi.as_view()),
]
