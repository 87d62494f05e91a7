"""Django's name for the app."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, attempts, results, the viewer."""

    name = "matches"
    verbose_name = "Matches"

    def ready(self) -> None:
        """Hand out work as soon as there is some, or somebody free to do it."""
        from ladder.signals import queue_changed
        from matches.services.dispatching import queue_dispatch

        queue_changed.connect(lambda **_: queue_dispatch(), weak=False, dispatch_uid="queue_dispatch")
