"""Makes messages (``core.message``) of the English sentences that said why versions do not play.

A sentence of before is shown as it is. The exception is a withdrawal by an administrator, whose kind of message keeps
the program from playing again.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import F, Q, Value
from django.db.models.functions import JSONObject, Substr

WITHDRAWN = "An administrator has withdrawn this version."
WITHDRAWN_WHY = f"{WITHDRAWN} Why: "


def said(text: Any) -> JSONObject:
    return JSONObject(kind=Value("text"), args=JSONObject(text=text))


def messages_make(apps: Any, schema_editor: Any) -> None:
    # Each row is changed once: PostgreSQL checks the foreign keys of a row that is changed twice only at the end of the
    # transaction, and alters no table that waits for such a check.
    versions = apps.get_model("ladder", "BotVersion").objects
    withdrawn, withdrawn_why = Q(sentence=WITHDRAWN), Q(sentence__startswith=WITHDRAWN_WHY)
    versions.filter(withdrawn).update(reason={"kind": "version-withdrawn", "args": {}})
    why = said(Substr("sentence", len(WITHDRAWN_WHY) + 1))
    versions.filter(withdrawn_why).update(
        reason=JSONObject(kind=Value("version-withdrawn-why"), args=JSONObject(why=why))
    )
    versions.exclude(Q(sentence="") | withdrawn | withdrawn_why).update(reason=said(F("sentence")))


class Migration(migrations.Migration):
    dependencies = [("ladder", "0001_initial")]

    operations = [
        migrations.AddField("botversion", "reason", models.JSONField(blank=True, default=dict)),
        migrations.RunPython(messages_make, migrations.RunPython.noop),
        migrations.RemoveField("botversion", "sentence"),
    ]
