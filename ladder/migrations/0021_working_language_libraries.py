"""Workers tell which libraries bots may use; pages promise no others."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0020_one_board_sorted_by_rating")]

    operations = [
        migrations.AddField(
            "workinglanguage", "libraries", models.CharField(max_length=100, default="", db_default="", blank=True)
        ),
    ]
