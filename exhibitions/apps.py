"""The Django app config of the exhibitions."""

from django.apps import AppConfig


class ExhibitionsConfig(AppConfig):
    """Tables with remote seats: their players, questions and answers."""

    name = "exhibitions"
    verbose_name = "Exhibitions"

    def ready(self) -> None:
        """Register a section of the export of a person's data."""
        import exhibitions.exports  # noqa: F401 - the import registers it
