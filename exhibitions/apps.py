"""The Django app config of the exhibitions."""

from django.apps import AppConfig


class ExhibitionsConfig(AppConfig):
    """Tables with remote seats: their players, questions and answers."""

    name = "exhibitions"
    verbose_name = "Exhibitions"
