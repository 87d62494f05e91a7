"""Django admin pages of accounts, bots, versions and contests. Their actions call services, which check them."""

from __future__ import annotations

from typing import Any

from allauth.account.admin import EmailAddressAdmin
from allauth.account.decorators import secure_admin_login
from allauth.account.models import EmailAddress
from allauth.mfa.admin import Authenticator  # importing it registers its page, unregistered below
from allauth.socialaccount.admin import SocialAccount, SocialApp, SocialToken  # same
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
from accounts.services.accounts import (
    account_two_factor_off,
    account_uploads_allow,
    account_uploads_stop,
    profile_clear,
)
from accounts.services.closing import account_close
from common.words.messages import sentence_of
from contests.models import Contest
from contests.services.contests import contest_transition
from core.text import printable
from ladder.admin_parts import (
    AuditedAdmin,
    BotGameFilter,
    BoundedPaginator,
    GameFilter,
    ListAdmin,
    ReadOnlyMixin,
    SuperusersOnlyMixin,
    may_do_everything,
    reason_of,
)
from ladder.forms import AnnouncementForm
from ladder.models import (
    Announcement,
    Bot,
    BotVersion,
    Rating,
)
from ladder.selectors.bots import LIVE_STATES
from ladder.services.announcements import announcement_delete, announcement_save
from ladder.services.uploads import version_retry
from ladder.services.versions import version_disqualify

# The admin's lists show times without a time zone, so the page header names the zone.
admin.site.site_header = _("Banzuke. Times are in UTC.")
_login_of_django = admin.site.login


def _login(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    return (
        two_factor_redirect(request) if two_factor_missing(request.user) else _login_of_django(request, *args, **kwargs)
    )


# The attack: Django's own sign-in form limits no guesses and asks for no second factor, so anybody could try passwords
# of administrators without end.
admin.site.login = secure_admin_login(_login)  # type: ignore[method-assign]  # the way allauth documents
admin.site.has_permission = lambda request: administrates(request.user)  # type: ignore[method-assign]  # same


@admin.register(User)
class AccountAdmin(AuditedAdmin, ListAdmin, UserAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Accounts. Stopping the uploads of an account does not stop its bots from playing."""

    ordering = ["username"]
    paginator = BoundedPaginator
    list_display = [
        *["username", "email", "is_staff", "is_active", "two_factor"],
        *["uploads_stopped", "date_joined", "last_login"],
    ]
    list_filter = ["is_staff", "is_active", ("uploads_stopped", admin.EmptyFieldListFilter)]
    readonly_fields = ["uploads_stopped"]
    actions = ["uploads_stop", "uploads_allow", "profile_clear", "two_factor_off", "close"]

    # The attack: an administrator with only the permission to change accounts sets the password of a superuser, or
    # makes himself one.
    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may change this account; only a superuser may change an administrator's."""
        return super().has_change_permission(request, obj) and (may_do_everything(request) or not _is_staff(obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Return whether the user may delete this account; only a superuser may delete an administrator's."""
        return super().has_delete_permission(request, obj) and (may_do_everything(request) or not _is_staff(obj))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the read-only fields; for all but superusers these include the fields that grant permissions."""
        rights = [] if may_do_everything(request) else ["is_staff", "is_superuser", "groups", "user_permissions"]
        return [*super().get_readonly_fields(request, obj), *rights]

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the fields of Django's own page, and ``uploads_stopped``."""
        own = [(_("Arena"), {"fields": ["uploads_stopped"]})] if obj else []
        return [*super().get_fieldsets(request, obj), *own]

    @admin.action(description=_("Stop uploads (with a reason that the owner reads)"), permissions=["change"])
    def uploads_stop(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Stop the uploads of the chosen accounts."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_uploads_stop(user=user, actor=actor, reason=reason))

    @admin.action(description=_("Allow uploads again"), permissions=["change"])
    def uploads_allow(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Allow the chosen accounts to upload again."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_uploads_allow(user=user, actor=actor, reason=reason))

    @admin.action(description=_("Delete the text of the public profile"), permissions=["change"])
    def profile_clear(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Delete what the chosen accounts say on their public profiles."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: profile_clear(user=user, actor=actor, reason=reason))

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Return the accounts, each with ``has_two_factors``."""
        authenticators = Authenticator.objects.filter(user=OuterRef("pk"), type=Authenticator.Type.TOTP)
        rows: QuerySet[User] = super().get_queryset(request)
        return rows.annotate(has_two_factors=Exists(authenticators))

    @admin.display(description=_("Two factors"), boolean=True)
    def two_factor(self, account: Any) -> bool:
        """Return whether an account signs in with two factors."""
        return bool(account.has_two_factors)

    def has_everything_permission(self, request: HttpRequest) -> bool:
        """Return whether the user may run the actions with ``permissions=["everything"]``: superusers only."""
        return may_do_everything(request)

    @admin.action(description=_("Turn off two-factor authentication: its phone is lost"), permissions=["everything"])
    def two_factor_off(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Turn off two-factor authentication for the chosen accounts: a password is enough again."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_two_factor_off(user=user, actor=actor, reason=reason))

    @admin.action(description=_("Close for ever: the owner has asked for it"), permissions=["everything"])
    def close(self, request: HttpRequest, users: QuerySet[User]) -> None:
        """Close the chosen accounts for ever and delete the personal data of their owners."""
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, users, lambda user: account_close(user=user, actor=actor, reason=reason))


def _is_staff(account: User | None) -> bool:
    return account is not None and account.is_staff


# The attack: allauth's page of authenticators shows the secrets, and lets an administrator give any account a new one.
admin.site.unregister([Group, EmailAddress, Authenticator])
# The attack: an administrator adds a provider of his own, or connects his account there with that of a superuser.
admin.site.unregister([SocialAccount, SocialApp, SocialToken])


@admin.register(Group)
class PermissionGroupAdmin(SuperusersOnlyMixin, AuditedAdmin, GroupAdmin):
    """Groups: sets of permissions for administrators who are not superusers."""


@admin.register(EmailAddress)
class MailAddressAdmin(SuperusersOnlyMixin, AuditedAdmin, EmailAddressAdmin):  # type: ignore[misc]  # allauth brings no types
    """Mail addresses of accounts; mails for a forgotten password go there."""

    # The attack: allauth's own action lets anybody who may view the list mark a mail address as verified, unlogged.
    actions = ()


@admin.register(SocialAccount)
class ConnectionAdmin(SuperusersOnlyMixin, AuditedAdmin, ListAdmin):
    """Accounts of other sites by which users sign in here. Owners connect them; superusers may delete a stolen one."""

    list_display = ["user", "provider", "uid", "last_login"]
    list_select_related = ["user"]
    search_fields = ["user__username"]

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: a connection that somebody types would let somebody else in."""
        return False

    has_change_permission = has_add_permission


def _withdraw(page: ListAdmin, request: HttpRequest, versions: QuerySet[BotVersion]) -> None:
    reason = reason_of(request)
    page.act(request, versions, lambda row: version_disqualify(version=row, reason=reason), audit="version_disqualify")


@admin.register(Bot)
class BotAdmin(ReadOnlyMixin, ListAdmin):
    """Bots."""

    list_display = ["name", "contest", "owner", "is_house", "created_at"]
    list_filter = [GameFilter, "is_house"]
    list_select_related = ["contest", "owner"]
    search_fields = ["name", "owner__username"]
    actions = ["withdraw"]

    @admin.action(description=_("Withdraw: no new matches"), permissions=["view"])
    def withdraw(self, request: HttpRequest, bots: QuerySet[Bot]) -> None:
        """Withdraw all versions of the chosen bots that play, wait for a build or are being built."""
        versions = BotVersion.objects.filter(bot__in=bots.order_by(), state__in=LIVE_STATES).select_related("bot")
        _withdraw(self, request, versions)


@admin.register(BotVersion)
class BotVersionAdmin(ReadOnlyMixin, ListAdmin):
    """Versions."""

    list_display = ["__str__", "state", "step", "verdict", "language", "worker", "created_at"]
    list_filter = [BotGameFilter, "state"]
    list_select_related = ["bot"]
    search_fields = ["bot__name", "bot__owner__username", "^bundle_digest", "^artifact_digest"]
    search_help_text = _(
        "Part of the name of a bot or of its owner, or how the digest of an upload or of a built program begins."
    )
    exclude = ["lease_token", "reason"]
    readonly_fields = ["sentence"]
    actions = ["withdraw", "rebuild"]

    @admin.display(description=_("Reason"))
    def sentence(self, version: BotVersion) -> str:
        """Return why a version was rejected, failed or retired."""
        return printable(sentence_of(version.reason, version.bot.game))

    def get_queryset(self, request: HttpRequest) -> QuerySet[BotVersion]:
        """Return the versions. The list page leaves out their build logs, which can be large."""
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
class RatingAdmin(ReadOnlyMixin, ListAdmin):
    """Ratings of the last fit."""

    list_display = ["version", "rating", "standard_error", "games", "rank", "last_match_at", "fitted_at"]
    list_filter = [GameFilter, "listed"]
    list_select_related = ["version__bot"]
    search_fields = ["version__bot__name"]


@admin.register(Contest)
class ContestAdmin(ReadOnlyMixin, ListAdmin):
    """The state of each contest. Everything else about it is set on its organisers' desk."""

    ordering = ["slug"]
    list_display = ["slug", "game", "state", "reason", "visibility", "entries_until", "limits", "changed_at"]
    actions = ["open", "pause", "freeze"]

    @admin.action(description=_("Open: take bots and pair matches"), permissions=["view"])
    def open(self, request: HttpRequest, contests: QuerySet[Contest]) -> None:
        """Open the chosen contests."""
        self._move(request, contests, Contest.State.OPEN)

    @admin.action(description=_("Pause: no new matches"), permissions=["view"])
    def pause(self, request: HttpRequest, contests: QuerySet[Contest]) -> None:
        """Pause the chosen contests."""
        self._move(request, contests, Contest.State.PAUSED)

    @admin.action(description=_("Freeze: no bots, no new matches"), permissions=["view"])
    def freeze(self, request: HttpRequest, contests: QuerySet[Contest]) -> None:
        """Freeze the chosen contests."""
        self._move(request, contests, Contest.State.FROZEN)

    def _move(self, request: HttpRequest, contests: QuerySet[Contest], to: Contest.State) -> None:
        actor, reason = signed_in(request), reason_of(request)
        self.act(request, contests, lambda row: contest_transition(contest=row.slug, to=to, actor=actor, reason=reason))


@admin.register(Announcement)
class AnnouncementAdmin(ListAdmin):
    """Announcements, which administrators add, edit and delete here."""

    form = AnnouncementForm
    ordering = ["-shown_from", "-pk"]
    list_display = ["__str__", "level", "shown_from", "shown_until"]
    list_filter = ["level"]

    def save_model(self, request: HttpRequest, obj: Announcement, form: ModelForm[Announcement], change: bool) -> None:
        """Save a new or changed announcement."""
        announcement_save(announcement=obj, actor=signed_in(request))

    def delete_model(self, request: HttpRequest, obj: Announcement) -> None:
        """Delete an announcement."""
        announcement_delete(announcement=obj, actor=signed_in(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Announcement]) -> None:
        """Delete the chosen announcements."""
        for announcement in queryset:
            announcement_delete(announcement=announcement, actor=signed_in(request))


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyMixin, ListAdmin):
    """The audit log: what administrators did on any page or command, and owners who ended a probation."""

    list_display = ["at", "actor_name", "act", "target", "reason"]
    search_fields = ["actor_name", "act", "target"]
