"""Django's registration of this package."""

from django.apps import AppConfig

from common.signals import credentials_changed


class ApiConfig(AppConfig):
    """The API."""

    name = "api"

    def ready(self) -> None:
        """Let the description of the API know how callers show who they are, and tokens end as sessions do."""
        from api import description  # noqa: F401 - its extension registers itself
        from api.tokens import tokens_end

        credentials_changed.connect(tokens_end)
