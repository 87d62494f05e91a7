"""``manage.py catalogues``."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from arena import catalogues


class Command(BaseCommand):
    help = "Collect the site's texts into the catalogues of all languages and compile these. Run it after translating."

    def handle(self, *args: Any, **options: Any) -> None:
        for language in catalogues.languages():
            catalogue = catalogues.updated(language)
            catalogues.write(catalogue, language)
            empty = catalogues.untranslated(catalogue)
            self.stdout.write(f"{catalogues.path_of(language)}: {len(catalogue)} texts, {len(empty)} to be translated")
