"""The Django app config of the matches."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, attempts, results, the viewer."""

    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Register matches with the queue of jobs, follow other apps' signals, and add the page of a private test."""
        from django.urls import reverse

        import matches.exports  # noqa: F401 - the import registers sections
        from accounts.models import Notification
        from common.parts import parts_register
        from common.signals import account_disabled, contest_archiving, replays_released
        from jobs.services.dispatching import kind_register
        from ladder.models import BotEvent
        from ladder.words.events import event_page
        from ladder.words.notifications import notification_page
        from matches.services.final_boards import archive_check
        from matches.services.match_jobs import MATCHES
        from matches.services.replays import replays_delete
        from matches.services.trials import trials_stop

        kind_register(MATCHES)
        parts_register("matches/parts.html")
        replays_released.connect(
            lambda digests, **_: replays_delete(digests=digests), weak=False, dispatch_uid="replays_delete"
        )
        account_disabled.connect(trials_stop)
        contest_archiving.connect(archive_check)
        event_page(BotEvent.Kind.CLOSE_MATCH, lambda values: reverse("matches:match", args=[values["match"]]))
        notification_page(
            Notification.Kind.TRIAL_ENDED, lambda values: reverse("matches:trial", args=[values["trial"]])
        )
