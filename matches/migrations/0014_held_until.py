"""The last attempt waits a while, after two that ended by our fault."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('matches', '0013_played_again'),
    ]

    operations = [
        migrations.AddField(
            model_name='match',
            name='held_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
