"""The Django app config of the matches."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, attempts, results, the viewer."""

    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Register matches with the queue of jobs, and follow other apps' signals."""
        from common.parts import parts_register
        from common.signals import account_disabled, contest_archiving, replays_released
        from jobs.services.dispatching import kind_register
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
