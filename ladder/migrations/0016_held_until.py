"""The last attempt waits a while, after two that ended by our fault."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0015_deadlines'),
    ]

    operations = [
        migrations.AddField(
            model_name='botversion',
            name='held_until',
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
