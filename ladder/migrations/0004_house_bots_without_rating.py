"""A house bot may have no declared rating: where none was measured by the rules of its contest."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("ladder", "0003_contests")]

    operations = [
        migrations.RemoveConstraint("bot", "bot_house_has_declared_rating"),
        migrations.AddConstraint(
            "bot",
            models.CheckConstraint(
                condition=models.Q(("is_house", True), ("declared_rating__isnull", True), _connector="OR"),
                name="bot_declared_rating_only_of_house",
            ),
        ),
    ]
