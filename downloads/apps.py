"""The Django app config of the downloads."""

from django.apps import AppConfig


class DownloadsConfig(AppConfig):
    """Files of each day's results and replays."""

    name = "downloads"
    verbose_name = "Downloads"
