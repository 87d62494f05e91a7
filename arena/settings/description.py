"""How drf-spectacular describes the API."""

from __future__ import annotations

DESCRIPTION = {
    "TITLE": "Banzuke",
    "DESCRIPTION": "All that the site shows and does, for programs.",
    "VERSION": "1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Requests and responses have schemas of their own: an upload is sent as bytes and returned as a URL.
    "COMPONENT_SPLIT_REQUEST": True,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.description.add_problems",
        "api.description.tell_defaults",
    ],
    "ENUM_NAME_OVERRIDES": {
        "VersionState": "ladder.models.BotVersion.State",
        "WorkerState": "jobs.models.Worker.State",
        "MatchKind": "matches.models.Match.Kind",
        "MatchState": "matches.models.Match.State",
        "NotificationKind": "accounts.news_kinds.notification_choices",
        "TrialState": "matches.models.Trial.State",
        "HostState": "fleet.models.Host.State",
        "HookGroup": "accounts.news_kinds.topic_choices",
        "ContestState": "contests.models.Contest.State",
        "TournamentState": "tournaments.models.Tournament.State",
        "AnnouncementLevel": "ladder.models.Announcement.Level",
    },
}
