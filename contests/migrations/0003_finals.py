"""Adds the finals of a contest: their settings and stage, and the chain of its signed boards."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import F


def signed_fill(apps, schema_editor):
    signed = apps.get_model("contests", "Contest").objects.exclude(board_digest="")
    signed.update(final_stage="signed", final_since=F("board_signed_at"))


class Migration(migrations.Migration):

    dependencies = [
        ('contests', '0002_rules'),
    ]

    operations = [
        migrations.CreateModel(
            name='FinalBoard',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('frozen_at', models.DateTimeField()),
                ('replaces', models.CharField(blank=True, default='', max_length=64)),
                ('digest', models.CharField(max_length=64)),
                ('signed_at', models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={
                'ordering': ['contest', 'pk'],
            },
        ),
        migrations.AddField(
            model_name='contest',
            name='final_by',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='contest',
            name='final_games',
            field=models.PositiveSmallIntegerField(db_default=20, default=20),
        ),
        migrations.AddField(
            model_name='contest',
            name='final_since',
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name='contest',
            name='final_stage',
            field=models.CharField(blank=True, choices=[('building', 'the last uploads are being built'), ('playing', 'final matches are being played'), ('fitting', 'the final board is being signed'), ('signed', 'the final board is signed')], db_default='', default='', editable=False, max_length=8),
        ),
        migrations.AddField(
            model_name='contest',
            name='honours_house_bots',
            field=models.BooleanField(blank=True, null=True),
        ),
        migrations.AddConstraint(
            model_name='contest',
            constraint=models.CheckConstraint(condition=models.Q(('final_stage__in', ['', 'building', 'playing', 'fitting', 'signed'])), name='contest_final_stage_known'),
        ),
        migrations.AddField(
            model_name='finalboard',
            name='contest',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='final_boards', to='contests.contest'),
        ),
        migrations.AddConstraint(
            model_name='finalboard',
            constraint=models.UniqueConstraint(fields=('contest', 'frozen_at', 'replaces'), name='final_board_signed_once'),
        ),
        migrations.RunPython(signed_fill, migrations.RunPython.noop),
    ]
