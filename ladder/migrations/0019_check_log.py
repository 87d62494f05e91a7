"""The turns of check matches are kept, as those of all others."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0018_worker_hosts")]

    operations = [
        migrations.AddField(
            "botversion", "check_log_digest", models.CharField(max_length=64, default="", db_default="", blank=True)
        ),
    ]
