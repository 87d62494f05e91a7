"""Adds the notification of a contest that is over."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('accounts', '0006_hook_off_notifications'),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='notification',
            name='notification_kind_known',
        ),
        migrations.AlterField(
            model_name='notification',
            name='kind',
            field=models.CharField(choices=[('built', 'built'), ('rejected', 'rejected'), ('not_built', 'not built'), ('probation', 'on probation'), ('withdrawn', 'withdrawn'), ('promoted', 'promoted'), ('trial_ended', 'test ended'), ('tournament_begins', 'tournament begins'), ('tournament_left', 'out of a tournament'), ('tournament_faults', 'at fault in a tournament'), ('tournament_over', 'tournament over'), ('contest_over', 'contest over'), ('followed', 'followed bot'), ('hook_off', 'webhook off')], max_length=20),
        ),
        migrations.AddConstraint(
            model_name='notification',
            constraint=models.CheckConstraint(condition=models.Q(('kind__in', ['built', 'rejected', 'not_built', 'probation', 'withdrawn', 'promoted', 'trial_ended', 'tournament_begins', 'tournament_left', 'tournament_faults', 'tournament_over', 'contest_over', 'followed', 'hook_off'])), name='notification_kind_known'),
        ),
    ]
