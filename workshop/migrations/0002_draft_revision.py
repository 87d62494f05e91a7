from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('workshop', '0001_initial'),
    ]

    operations = [
        migrations.AddField(
            model_name='draft',
            name='revision',
            field=models.PositiveIntegerField(db_default=1, default=1),
        ),
        migrations.AddField(
            model_name='draft',
            name='written_by',
            field=models.CharField(blank=True, db_default='', default='', max_length=36),
        ),
    ]
