"""What each worker has told of libraries, so that pages promise only what all have."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0021_working_language_libraries")]

    operations = [
        migrations.AddField("worker", "libraries", models.JSONField(null=True, blank=True)),
    ]
