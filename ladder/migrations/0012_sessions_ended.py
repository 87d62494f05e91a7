"""How often all sessions of an account were ended; with a default in the database, for sign-ups by an older version."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0011_withdrawal_told")]

    operations = [
        migrations.AddField(
            "user", "sessions_ended", models.PositiveIntegerField(default=0, db_default=0, editable=False)
        ),
    ]
