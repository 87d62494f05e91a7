"""The Django app config of the API."""

from django.apps import AppConfig


class KakomimasuApiConfig(AppConfig):
    """The API of the Kakomimasu project."""

    name = "kakomimasu_api"
    verbose_name = "API of the Kakomimasu project"

    def ready(self) -> None:
        """Register a section of the export of a person's data, and what stays of a closed account."""
        import kakomimasu_api.exports  # noqa: F401 - the import registers them
