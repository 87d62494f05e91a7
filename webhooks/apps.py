"""The Django app config of the webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Webhooks and their deliveries."""

    name = "webhooks"
    verbose_name = "Webhooks"

    def ready(self) -> None:
        """Follow notifications and closed accounts."""
        from common.parts import parts_register
        from common.signals import account_disabled, notified
        from webhooks.services.deliveries import deliveries_create
        from webhooks.services.hooks import hooks_delete_all

        parts_register("webhooks/parts.html")
        notified.connect(deliveries_create)
        account_disabled.connect(hooks_delete_all)
