"""Adds when each upload reached the site, the hash of what was sent, and the files that wait to be examined.

Uploads before count from the moment when their rows were created.
"""

import django.db.models.deletion
import django.db.models.functions.datetime
import django.utils.timezone
from django.db import migrations, models
from django.db.models import F


def received_fill(apps, schema_editor):
    apps.get_model("ladder", "BotVersion").objects.update(received_at=F("created_at"))


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0006_daily_ratings'),
    ]

    operations = [
        migrations.CreateModel(
            name='SentFile',
            fields=[
                ('version', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='sent_file', serialize=False, to='ladder.botversion')),
                ('data', models.BinaryField()),
                ('language_code', models.CharField(max_length=10)),
            ],
        ),
        migrations.RemoveConstraint(
            model_name='botversion',
            name='version_state_known',
        ),
        migrations.AddField(
            model_name='botversion',
            name='received_at',
            field=models.DateTimeField(db_default=django.db.models.functions.datetime.Now(), default=django.utils.timezone.now),
        ),
        migrations.AddField(
            model_name='botversion',
            name='sent_digest',
            field=models.CharField(blank=True, db_default='', default='', max_length=64),
        ),
        migrations.AlterField(
            model_name='botversion',
            name='bundle_digest',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AlterField(
            model_name='botversion',
            name='state',
            field=models.CharField(choices=[('received', 'received'), ('uploaded', 'waiting for a builder'), ('building', 'being built'), ('active', 'active'), ('probation', 'on probation'), ('rejected', 'rejected'), ('failed', 'not built, our fault'), ('retired', 'replaced or withdrawn')], default='uploaded', max_length=10),
        ),
        migrations.AddConstraint(
            model_name='botversion',
            constraint=models.CheckConstraint(condition=models.Q(('state__in', ['received', 'uploaded', 'building', 'active', 'probation', 'rejected', 'failed', 'retired'])), name='version_state_known'),
        ),
        migrations.RunPython(received_fill, migrations.RunPython.noop),
    ]
