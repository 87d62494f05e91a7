"""The Django app config of the webhooks."""

from django.apps import AppConfig


class WebhooksConfig(AppConfig):
    """Webhooks and their deliveries."""

    name = "webhooks"
    verbose_name = "Webhooks"

    def ready(self) -> None:
        """Follow notifications and closed accounts, and register a section of the export and a page."""
        from django.urls import reverse

        import webhooks.exports  # noqa: F401 - the import registers it
        from accounts.models import Notification
        from common.parts import parts_register
        from common.signals import account_disabled, notified
        from ladder.words.notifications import notification_page
        from webhooks.services.deliveries import deliveries_create
        from webhooks.services.hooks import hooks_delete_all

        parts_register("webhooks/parts.html")
        notified.connect(deliveries_create)
        account_disabled.connect(hooks_delete_all)
        notification_page(Notification.Kind.HOOK_OFF, lambda values: reverse("webhooks:hooks"))
