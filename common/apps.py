"""Django's name for the app."""

from django.apps import AppConfig


class CommonConfig(AppConfig):
    """Code that all apps of the site share."""

    name = "common"
    verbose_name = "Common"
