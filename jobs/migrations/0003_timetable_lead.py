"""Adds the lead of the timetable, of which several processes may run."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0002_tables")]

    operations = [
        migrations.CreateModel(
            name="TimetableLead",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("holder", models.CharField(default="", max_length=150)),
                ("ends_at", models.DateTimeField()),
            ],
            options={
                "constraints": [models.CheckConstraint(condition=models.Q(("pk", 1)), name="timetable_lead_once")],
            },
        ),
    ]
