"""Django's registration of this package."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """The API."""

    name = "api"

    def ready(self) -> None:
        """Let the description of the API know how callers show who they are."""
        from api import description  # noqa: F401 - its extension registers itself
