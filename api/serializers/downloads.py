"""Serializers of downloads."""

from __future__ import annotations

from django.urls import reverse
from rest_framework import serializers

from api.serializers.fields import ComputedText, RowSerializer
from downloads.models import REPLAYS_DAYS, DayFiles


class DayFilesSerializer(RowSerializer[DayFiles]):
    """The files of results and replays of one day of a contest."""

    contest = serializers.CharField(source="contest_id")
    results = ComputedText(
        lambda files: reverse("api:day_results", args=[files.contest_id, files.day]),
        help_text="Path of the file of results: JSON lines in zstandard.",
    )
    replays = ComputedText(
        lambda files: reverse("api:day_replays", args=[files.contest_id, files.day]) if files.replays_digest else None,
        allow_null=True,
        help_text="Path of the tar of replays; null: there is none any more.",
    )
    replays_count = serializers.IntegerField(source="replays", help_text="How many replays are or were in the tar.")

    class Meta:
        model = DayFiles
        fields = [
            *("contest", "day", "matches", "made_at", "results", "results_digest", "results_bytes"),
            *("replays", "replays_count", "replays_digest", "replays_bytes"),
        ]
        extra_kwargs = {
            "day": {"help_text": "On which the matches ended (UTC)."},
            "results_digest": {"help_text": "SHA-256 of the file."},
            "replays_digest": {
                "help_text": f"SHA-256 of the tar; empty once it is deleted, after {REPLAYS_DAYS} days."
            },
        }
