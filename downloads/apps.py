"""The Django app config of the downloads."""

from django.apps import AppConfig


class DownloadsConfig(AppConfig):
    """Files of each day's results and replays."""

    name = "downloads"
    verbose_name = "Downloads"

    def ready(self) -> None:
        """Lead from boards to their files."""
        from common.parts import parts_register

        parts_register("downloads/parts.html")
