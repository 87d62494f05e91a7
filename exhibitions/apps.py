"""The Django app config of the exhibitions."""

from django.apps import AppConfig


class ExhibitionsConfig(AppConfig):
    """Tables with remote seats: their players, questions and answers."""

    name = "exhibitions"
    verbose_name = "Exhibitions"

    def ready(self) -> None:
        """Register a section of the export of a person's data, and parts of pages."""
        import exhibitions.exports  # noqa: F401 - the import registers it
        from common.parts import parts_register

        parts_register("exhibitions/parts.html")
