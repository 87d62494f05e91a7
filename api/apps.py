"""The Django app configuration of the API."""

from django.apps import AppConfig

from common.parts import parts_register
from common.signals import credentials_changed


class ApiConfig(AppConfig):
    """The app of the HTTP API."""

    name = "api"

    def ready(self) -> None:
        """Register the OpenAPI extension, and revoke a user's tokens when the password or second factor changes."""
        from api import description  # noqa: F401 - the import registers BearerScheme
        from api.tokens import tokens_revoke_all

        parts_register("api/parts.html")
        credentials_changed.connect(tokens_revoke_all)
