"""The Django app config of the downloads."""

from django.apps import AppConfig


class DownloadsConfig(AppConfig):
    """Files of each day's results and replays."""

    name = "downloads"
    verbose_name = "Downloads"

    def ready(self) -> None:
        """Register the part of pages that links from a board to its downloads."""
        from common.parts import parts_register

        parts_register("downloads/parts.html")
