"""The administrators' pages of accounts, bots and versions. Rows are read there; changes go through the services."""

from __future__ import annotations

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.admin import Authenticator  # from there, since that registers the page that goes below
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group
from django.db.models import Exists, OuterRef, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.translation import gettext_lazy as _

from accounts.access import administrates, signed_in, two_factor_missing, two_factor_redirect
from accounts.models import AuditEntry, User
from accounts.services.accounts import account_two_factor_off, account_uploads_allow, account_uploads_stop
from ladder.admin_parts import (
    Audited,
    BotGameFilter,
    BoundedPaginator,
    GameFilter,
    Guarded,
    ReadOnly,
    Rows,
    may_do_everything,
    reason_of,
)
from ladder.models import (
    Announcement,
    Bot,
    BotVersion,
    GameSetting,
    Rating,
)
from ladder.selectors.bots import LIVE_STATES
from ladder.services.announcements import announcement_delete, announcement_save
from ladder.services.closing import account_close
from ladder.services.games import game_transition
from ladder.services.uploads import version_retry
from ladder.services.versions import version_disqualify

# Its lists of times name no zone, and administrators live in others.
admin.site.site_header = _("Banzuke. Times are in UTC.")
_login_of_django = admin.site.login


def _login(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    return (
        two_factor_redirect(request) if two_factor_missing(request.user) else _login_of_django(request, *args, **kwargs)
    )


# The attack: Django's own form counts no guesses, so that administrators' passwords, of all, could be tried for ever,
# and knows no second factor.
admin.site.login = secure_admin_login(_login)  # type: ignore[method-assign]  # as allauth has it done
admin.site.has_permission = lambda request: administrates(request.user)  # type: ignore[method-assign]  # leads to it


@admin.register(User)
class AccountAdmin(Audited, Rows, UserAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Accounts; their bots play on when their uploads are stopped."""

    ordering = ["username"]
    paginator = BoundedPaginator
    list_display = [
        *["username", "email", "is_staff", "is_active", "two_factor"],
        *["uploads_stopped", "date_joined", "last_login"],
    ]
    list_filter = ["is_staff", "is_active", ("uploads_stopped", admin.EmptyFieldListFilter)]
    readonly_fields = ["uploads_stopped"]
    actions = ["uploads_stop", "uploads_allow", "two_factor_off", "close"]

    # The attack: whoever may change accounts, and no more, would set the password of somebody who may do everything, or
    # make one of himself.
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether somebody may change an account: an administrator's only who may do everything."""
        return super().has_change_permission(request, obj) and (may_do_everything(request) or not _is_staff(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Say whether somebody may delete an account: an administrator's only who may do everything."""
        return super().has_delete_permission(request, obj) and (may_do_everything(request) or not _is_staff(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return what cannot be changed: what others may do, by who may not do everything."""
        rights = [] if may_do_everything(request) else ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [*super().get_readonly_fields(request, obj), *rights]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of Django's own page, and ours."""
        own = [(_("Arena"), {"fields": ["uploads_stopped"]})] if obj else []
        return [*super().get_fieldsets(request, obj), *own]

    @admin.action(description=_("Stop uploads (with a reason that the owner reads)"), permissions=["change"])
    def uploads_stop(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Let the chosen accounts upload nothing more."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_uploads_stop(user=user, actor=actor, reason=reason))

    @admin.action(description=_("Allow uploads again"), permissions=["change"])
    def uploads_allow(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Let the chosen accounts upload again."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_uploads_allow(user=user, actor=actor, reason=reason))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the accounts, and which of them sign in with two factors."""
        authenticators = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
        rows: QuerySet[User] = super().get_queryset(request)
        return rows.annotate(has_two_factors=Exists(authenticators))

    @admin.display(description=_("Two factors"), boolean=True)
    def two_factor(self, account: Any) -> bool:
        """Say whether an account signs in with two factors."""
        return bool(account.has_two_factors)

    def has_everything_permission(self, request: HttpRequest) -> bool:
        """Say whether somebody may do what makes it easier to become somebody else."""
        return may_do_everything(request)

    @admin.action(description=_("Turn off two-factor authentication: its phone is lost"), permissions=["everything"])
    def two_factor_off(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Let the chosen accounts sign in by their passwords alone."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_two_factor_off(user=user, actor=actor, reason=reason))

    @admin.action(description=_("Close for ever: the owner has asked for it"), permissions=["everything"])
    def close(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Close the chosen accounts, with all that tells whose they were."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_close(user=user, actor=actor, reason=reason))


def _is_staff(account: User | None) -> bool:
    return account is not None and account.is_staff


# The attack: allauth's page of authenticators shows their secrets, and would give one to any account.
admin.site.unregister([Group, EmailAddress, Authenticator])


@admin.register(Group)
class RightsAdmin(Guarded, Audited, GroupAdmin):
    """What administrators may do who may not do everything."""


@admin.register(EmailAddress)
class AddressAdmin(Guarded, Audited, EmailAddressAdmin):  # type: ignore[misc]  # allauth brings no types
    """Where mails for a forgotten password go."""

    # The attack: allauth's own act marks an address as proven for whoever may look at the list, and leaves no trace.
    actions = ()


def _withdraw(rows: Rows, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
    reason = reason_of(request)
    rows.act(
        request,
        versions,
        lambda version: version_disqualify(version=version, reason=reason),
        audit="version_disqualify",
    )


@admin.register(Bot)
class BotAdmin(ReadOnly, Rows):
    """Bots."""

    list_display = ["name", "game", "owner", "is_house", "created_at"]
    list_filter = [GameFilter, "is_house"]
    list_select_related = ["owner"]
    search_fields = ["name", "owner__username"]
    actions = ["withdraw"]

    @admin.action(description=_("Withdraw: no new matches"), permissions=["view"])
    def withdraw(self, request: HttpRequest, bots: QuerySet[Bot]) -> None:
        """Withdraw all versions of the chosen bots that play or soon will."""
        versions = BotVersion.objects.filter(bot__in=bots.order_by(), state__in=LIVE_STATES).select_related("bot")
        _withdraw(self, request, versions)


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnly, Rows):
    """Versions."""

    list_display = ["__str__", "state", "step", "verdict", "language", "worker", "created_at"]
    list_filter = [BotGameFilter, "state"]
    list_select_related = ["bot"]
    search_fields = ["bot__name", "bot__owner__username", "^bundle_digest", "^artifact_digest"]
    search_help_text = _(
        "Part of the name of a bot or of its owner, or how the digest of an upload or of a built program begins."
    )
    exclude = ["lease_token"]
    actions = ["withdraw", "rebuild"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotVersion]:
        """Return the versions; in a list without their logs, which can be large."""
        rows: QuerySet[BotVersion] = super().get_queryset(request).select_related("bot")
        match = request.resolver_match
        return rows.defer("log") if match and match.url_name == "ladder_botversion_changelist" else rows

    @admin.action(description=_("Withdraw: no new matches"), permissions=["view"])
    def withdraw(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        """Withdraw the chosen versions."""
        _withdraw(self, request, versions)

    @admin.action(description=_("Build again what we failed to build"), permissions=["view"])
    def rebuild(self, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
        """Build the chosen versions again."""
        self.act(request, versions, lambda version: version_retry(version=version), audit="version_retry")


@admin.register(Rating)
class RatingAdmin(ReadOnly, Rows):
    """Ratings of the last fit."""

    list_display = ["version", "rating", "standard_error", "games", "rank", "last_match_at", "fitted_at"]
    list_filter = [GameFilter, "listed"]
    list_select_related = ["version__bot"]
    search_fields = ["version__bot__name"]


@admin.register(GameSetting)
class GameSettingAdmin(ReadOnly, Rows):
    """How games are run; their deadlines and limits are chosen on the fleet's page of games."""

    ordering = ["game"]
    list_display = ["game", "state", "reason", "uploads_until", "limits", "changed_at"]
    actions = ["open", "pause", "freeze"]

    @admin.action(description=_("Open: take bots and pair matches"), permissions=["view"])
    def open(self, request: HttpRequest, games: QuerySet[GameSetting]) -> None:
        """Open the chosen games."""
        self._move(request, games, GameSetting.State.OPEN)

    @admin.action(description=_("Pause: no new matches"), permissions=["view"])
    def pause(self, request: HttpRequest, games: QuerySet[GameSetting]) -> None:
        """Pause the chosen games."""
        self._move(request, games, GameSetting.State.PAUSED)

    @admin.action(description=_("Freeze: no bots, no new matches"), permissions=["view"])
    def freeze(self, request: HttpRequest, games: QuerySet[GameSetting]) -> None:
        """Freeze the chosen games."""
        self._move(request, games, GameSetting.State.FROZEN)

    def _move(self, request: HttpRequest, games: QuerySet[GameSetting], to: GameSetting.State) -> None:
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, games, lambda row: game_transition(game=row.game, to=to, actor=actor, reason=reason))


@admin.register(Announcement)
class AnnouncementAdmin(Rows):
    """Announcements: the one thing that is written here."""

    ordering = ["-shown_from", "-pk"]
    list_display = ["__str__", "level", "shown_from", "shown_until"]
    list_filter = ["level"]

    def save_model(self, request: HttpRequest, obj: Announcement, form: ModelForm[Announcement], change: bool) -> None:
        """Keep a new or changed announcement."""
        announcement_save(announcement=obj, actor=signed_in(request))

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        """Take an announcement down."""
        announcement_delete(announcement=obj, actor=signed_in(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Announcement]) -> None:
        """Take the chosen announcements down."""
        for announcement in queryset:
            announcement_delete(announcement=announcement, actor=signed_in(request))


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnly, Rows):
    """What administrators did, here and elsewhere, and owners who ended a probation."""

    list_display = ["at", "actor_name", "act", "target", "reason"]
    search_fields = ["actor_name", "act", "target"]
