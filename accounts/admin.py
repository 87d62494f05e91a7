"""The administration itself, and its pages of accounts. Their actions call services, which check them."""

from __future__ import annotations

from collections.abc import Callable
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
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.access import administrates, two_factor_missing, two_factor_redirect
from accounts.admin_parts import (
    AuditedAdmin,
    BoundedPaginator,
    ListAdmin,
    ReadOnlyMixin,
    SuperusersOnlyMixin,
    may_do_everything,
    row_action,
)
from accounts.models import AuditEntry, User
from accounts.services.accounts import (
    account_two_factor_off,
    account_uploads_allow,
    account_uploads_stop,
    profile_clear,
)
from accounts.services.closing import account_close

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


def _account_act(words: Promise, service: Callable[..., object], *, permission: str) -> Callable[..., None]:
    return row_action(
        words, lambda user, actor, reason: service(user=user, actor=actor, reason=reason), permission=permission
    )


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

    uploads_stop = _account_act(
        _("Stop uploads (with a reason that the owner reads)"), account_uploads_stop, permission="change"
    )
    uploads_allow = _account_act(_("Allow uploads again"), account_uploads_allow, permission="change")
    profile_clear = _account_act(_("Delete the text of the public profile"), profile_clear, permission="change")
    two_factor_off = _account_act(
        _("Turn off two-factor authentication: its phone is lost"), account_two_factor_off, permission="everything"
    )
    close = _account_act(_("Close for ever: the owner has asked for it"), account_close, permission="everything")

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


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyMixin, ListAdmin):
    """The audit log: acts of administrators, organisers, users on their own accounts and bots, and the site itself."""

    list_display = ["at", "actor_name", "act", "target", "reason"]
    search_fields = ["actor_name", "act", "target"]
