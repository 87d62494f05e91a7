"""The administrators' pages. States and ratings are read there; changes go through the services."""

from __future__ import annotations

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from ladder.errors import InputError
from ladder.models import Bot, BotVersion, Rating, User
from ladder.services.audit import audit_write
from ladder.services.versions import version_retire

admin.site.register(User, UserAdmin)
admin.site.site_header = "Banzuke"


def administrator(request: HttpRequest) -> User:
    """Return who acts; the administrators' pages are open to nobody else."""
    assert isinstance(request.user, User)  # noqa: S101 - tells the type
    return request.user


class ReadOnlyAdmin:
    """Rows that only services write."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody adds a row by hand."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody changes a row by hand: the state machines could not hold."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Nobody deletes what results stand on."""
        return False


@admin.register(Bot)
class BotAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Bots."""

    list_display = ["name", "game", "owner", "is_house", "created_at"]
    list_filter = ["game", "is_house"]
    list_select_related = ["owner"]
    search_fields = ["name", "owner__username"]


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Versions, with the one act an administrator may need: to take one out."""

    list_display = ["__str__", "state", "step", "verdict", "language", "worker", "created_at"]
    list_filter = ["state", "bot__game", "verdict"]
    list_select_related = ["bot"]
    search_fields = ["bot__name", "bot__owner__username"]
    actions = ["withdraw"]

    @admin.action(description=_("Withdraw: no new matches"), permissions=["view"])
    def withdraw(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        """Withdraw the chosen versions."""
        for version in versions:
            try:
                with transaction.atomic():
                    version_retire(version=version)
                    audit_write(actor=administrator(request), act="version_retire", target=str(version))
            except InputError as error:
                self.message_user(request, f"{version}: {error}", messages.ERROR)
            else:
                self.log_change(request, version, "withdrawn")


@admin.register(Rating)
class RatingAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Ratings of the last fit."""

    list_display = ["version", "rating", "standard_error", "games", "last_match_at", "fitted_at"]
    list_select_related = ["version__bot"]
