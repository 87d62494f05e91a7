"""Django's name for the app."""

from django.apps import AppConfig


class MatchesConfig(AppConfig):
    """Matches, attempts, results, the viewer."""

    name = "matches"
    verbose_name = "Matches"
