"""The Django app config of the tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, their rounds and tables."""

    name = "tournaments"
    verbose_name = "Tournaments"
