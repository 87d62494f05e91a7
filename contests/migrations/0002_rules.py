"""Notes whether matches were made in a contest."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('contests', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='contest',
            name='has_matches',
            field=models.BooleanField(default=False, editable=False),
        ),
    ]
