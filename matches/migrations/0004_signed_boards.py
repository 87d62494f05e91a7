"""Notes which fit the signed board of a contest shows, and lets results lose their replays."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0003_contests")]

    operations = [
        migrations.AddField(
            "boardlock", "signed_watermark", models.CharField(blank=True, default="", max_length=64)
        ),
        migrations.AlterField("result", "replay_digest", models.CharField(blank=True, max_length=64)),
    ]
