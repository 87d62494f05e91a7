"""The state of a version that plays no more tells of withdrawn ones, too: the label alone, nothing in the database."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('ladder', '0009_user_name_unique'),
    ]

    operations = [
        migrations.AlterField(
            model_name='botversion',
            name='state',
            field=models.CharField(choices=[('uploaded', 'waiting for a builder'), ('building', 'being built'), ('active', 'active'), ('probation', 'on probation'), ('rejected', 'rejected'), ('failed', 'not built, our fault'), ('retired', 'replaced or withdrawn')], default='uploaded', max_length=10),
        ),
    ]
