"""Notifications by mail; with defaults in the database, for sign-ups and notifications of an older version."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0012_sessions_ended")]

    operations = [
        migrations.AddField(
            "user",
            "mail_language",
            models.CharField(max_length=10, default="", db_default="", blank=True, editable=False),
        ),
        migrations.AddField("notification", "mail_due", models.BooleanField(default=False, db_default=False)),
        migrations.AddIndex(
            "notification",
            models.Index(fields=["id"], condition=models.Q(mail_due=True), name="notification_mail_due"),
        ),
    ]
