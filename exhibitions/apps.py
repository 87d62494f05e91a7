"""The Django app config of the exhibitions."""

from django.apps import AppConfig


class ExhibitionsConfig(AppConfig):
    """Tables with remote seats: their players, questions and answers."""

    name = "exhibitions"
    verbose_name = "Exhibitions"

    def ready(self) -> None:
        """Register parts of pages."""
        from common.parts import parts_register

        parts_register("exhibitions/parts.html")
