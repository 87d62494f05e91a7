"""Makes messages (``core.message``) of the English sentences that said why matches, attempts and tests ended.

A sentence of before is shown as it is, in English.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import JSONObject

ROWS = 1_000
"""How many seats are changed by one query."""


def messages_make(apps: Any, schema_editor: Any) -> None:
    for model, old, new in (
        ("Match", "void_reason", "void_why"),
        ("Attempt", "reason", "why"),
        ("Trial", "reason", "why"),
    ):
        rows = apps.get_model("matches", model).objects.exclude(**{old: ""})
        rows.update(**{new: JSONObject(kind=Value("text"), args=JSONObject(text=F(old)))})


def evidence_make(apps: Any, schema_editor: Any) -> None:
    seats = apps.get_model("matches", "Seat").objects
    last = 0
    while rows := list(seats.exclude(evidence={}).filter(pk__gt=last).order_by("pk").only("evidence")[:ROWS]):
        for seat in rows:
            sentence = seat.evidence.pop("sentence", "")
            seat.evidence["why"] = {"kind": "text", "args": {"text": sentence}}
        seats.bulk_update(rows, ["evidence"])
        last = rows[-1].pk


def field() -> models.JSONField:
    return models.JSONField(blank=True, default=dict)


class Migration(migrations.Migration):
    dependencies = [("matches", "0001_initial"), ("ladder", "0002_version_reason")]

    operations = [
        migrations.AddField("match", "void_why", field()),
        migrations.AddField("attempt", "why", field()),
        migrations.AddField("trial", "why", field()),
        migrations.RunPython(messages_make, migrations.RunPython.noop),
        migrations.RunPython(evidence_make, migrations.RunPython.noop),
        migrations.RemoveField("match", "void_reason"),
        migrations.RemoveField("attempt", "reason"),
        migrations.RemoveField("trial", "reason"),
        migrations.RenameField("match", "void_why", "void_reason"),
        migrations.RenameField("attempt", "why", "reason"),
        migrations.RenameField("trial", "why", "reason"),
    ]
