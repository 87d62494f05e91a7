"""``manage.py home_viewer``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.template.loader import render_to_string
from django.test import override_settings
from django.utils.translation import override

from matches.viewer import viewer_at_home

PAGE = Path(settings.BASE_DIR) / "banzuke" / "viewer.html"
# The page at home has plain file names, without a hash of their content.
PLAIN = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}


def page() -> str:
    """Return the viewer's page for ``banzuke watch``, in English."""
    with override("en"), override_settings(STORAGES={**settings.STORAGES, "staticfiles": PLAIN}):
        return render_to_string("matches/home_viewer.html", {"viewer": viewer_at_home()})


class Command(BaseCommand):
    help = "Write the page of `banzuke watch`, which shows replays at home. For when the viewer's template has changed."

    def handle(self, *args: Any, **options: Any) -> None:
        PAGE.write_text(page(), encoding="utf-8")
        self.stdout.write(f"{PAGE.relative_to(settings.BASE_DIR)} is written.")
