"""Workers of invited hosts stand under the name of their host, which signs what they report."""

from django.db import migrations

HOST_PREFIX = "host-"
NAME_LENGTH_MAX = 100


def hosts_told(apps, schema_editor):
    """Keep what administrators want of them: under its new name a worker would be another, which takes work."""
    Worker = apps.get_model("ladder", "Worker")
    for worker in Worker.objects.filter(broker_user__startswith=HOST_PREFIX):
        host = worker.broker_user.removeprefix(HOST_PREFIX)
        worker.name = f"{host}/{worker.name}"[:NAME_LENGTH_MAX]
        worker.save(update_fields=["name"])


def hosts_left_out(apps, schema_editor):
    """Give them the names by which older versions know them."""
    Worker = apps.get_model("ladder", "Worker")
    for worker in Worker.objects.filter(name__contains="/").order_by("-last_seen_at"):
        worker.name = worker.name.rpartition("/")[2]
        if not Worker.objects.filter(name=worker.name).exists():  # of two hosts with one machine name, one is known
            worker.save(update_fields=["name"])


class Migration(migrations.Migration):
    dependencies = [("ladder", "0017_bot_name_looks")]

    operations = [migrations.RunPython(hosts_told, hosts_left_out)]
