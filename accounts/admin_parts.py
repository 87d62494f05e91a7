"""Base classes of all Django admin pages: lists that stay fast with a million rows, and actions that call services."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from contextlib import nullcontext
from functools import cached_property
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.models import LogEntry
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db import models as db_models
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.access import signed_in
from accounts.models import User
from accounts.services.audit import REASON_CHARS_MAX, audit_write
from common.errors import InputError
from common.forms import TextField, posted
from common.words.messages import game_title

ROWS_COUNTED_MAX = 5_000
ROWS_ACTED_ON_MAX = 500


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # not subscriptable at run time
    """A paginator that offers only the first ``ROWS_COUNTED_MAX`` rows: counting a million takes longer than a page."""

    @cached_property
    def count(self) -> int:
        """The number of rows, ``ROWS_COUNTED_MAX`` at most."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # admin lists pass a QuerySet
        return rows.order_by()[:ROWS_COUNTED_MAX].count()


class ReasonForm(ActionForm):
    """The form above a list that chooses an action, with a field for the reason."""

    reason = TextField(label=gettext_lazy("Reason:"), required=False, max_length=REASON_CHARS_MAX)


class ListAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """A list of rows, newest first. Readers cannot sort it by other columns, for which there is no index."""

    action_form = ReasonForm
    formfield_overrides = {
        db_models.EmailField: {},
        db_models.CharField: {"form_class": TextField},
        db_models.TextField: {"form_class": TextField, "widget": AdminTextareaWidget},
    }
    ordering = ["-pk"]
    sortable_by = ()
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50


def row_action(
    words: str | Promise,
    call: Callable[[Any, User, str], object],
    *,
    permission: str = "view",
    audit: str = "",
    refusals: tuple[type[Exception], ...] = (InputError,),
    rows_of: Callable[[QuerySet[Any]], QuerySet[Any]] = lambda chosen: chosen,
) -> Callable[..., None]:
    """Return an action of a ``ListAdmin`` that calls a service for each chosen row, and shows its refusals as messages.

    Args:
        words: what the action does, for administrators.
        call: calls the service with a row, the administrator, and the reason that was typed beside the action.
        permission: that of the administrator for the rows.
        audit: name of the service, for an entry in the audit log; empty if the service writes its own entry.
        refusals: the exceptions by which the service refuses; their texts are whole sentences.
        rows_of: returns the rows to call the service with, given the chosen rows.
    """

    def acted(page: ListAdmin, request: HttpRequest, rows: QuerySet[Any]) -> None:
        chosen = list(rows_of(rows)[: ROWS_ACTED_ON_MAX + 1])
        if len(chosen) > ROWS_ACTED_ON_MAX:
            sentence = _("Nothing was done: please choose at most %(max)d rows at a time.") % {"max": ROWS_ACTED_ON_MAX}
            page.message_user(request, sentence, messages.ERROR)
            return
        done = sum(is_done(page, request, row) for row in chosen)
        if done:
            message = ngettext("Done for %(count)d row.", "Done for %(count)d rows.", done) % {"count": done}
            page.message_user(request, message, messages.SUCCESS)

    def is_done(page: ListAdmin, request: HttpRequest, row: Model) -> bool:
        target, actor, reason = str(row), signed_in(request), posted(request, "reason")
        try:
            # No transaction without `audit`: a quarantine stays in the database even if the broker fails afterwards.
            with transaction.atomic() if audit else nullcontext():
                call(row, actor, reason)
                if audit:
                    audit_write(actor=actor, act=audit, target=target, reason=reason)
        except refusals as refusal:
            page.message_user(request, f"{target}: {refusal}", messages.ERROR)
            return False
        return True

    return admin.action(description=words, permissions=[permission])(acted)  # type: ignore[arg-type]  # lazy texts


class AuditedAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Rows that administrators change with Django's own forms; each change also writes the audit log.

    Django shows its history only on the page of a row. The attack: somebody makes an accomplice an administrator and
    deletes that account later, and the history can no longer be reached from any page.
    """

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Show or save a row; validate a second time if the database reports a duplicate.

        Two requests at once (a double click) can both pass validation before one saves. The second validation then
        shows the duplicate as an error in the form.
        """
        try:
            return super().changeform_view(request, *args, **options)
        except IntegrityError:
            return super().changeform_view(request, *args, **options)

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Write a new row to the audit log."""
        _audit(request, "add", [obj], message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Write the changed fields of a row to the audit log."""
        _audit(request, "change", [obj], message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> Any:
        """Write rows that are about to be deleted to the audit log."""
        _audit(request, "delete", queryset)
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]  # a list of one, from a row's page


def _audit(request: HttpRequest, verb: str, rows: Iterable[Model], message: Any = ()) -> None:
    with translation.override("en"):  # stored text is always English
        changes = LogEntry(change_message=json.dumps(message)).get_change_message() if message else ""
    for row in rows:
        audit_write(actor=signed_in(request), act=f"{row._meta.model_name}_{verb}", target=str(row), reason=changes)


def may_do_everything(request: HttpRequest) -> bool:
    """Return whether the user is a superuser, who needs no single permissions."""
    return signed_in(request).is_superuser


class SuperusersOnlyMixin:
    """Rows with which an administrator could take over another account: only superusers may write them."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return whether the user is a superuser, who may add, change and delete rows."""
        return may_do_everything(request)

    has_change_permission = has_delete_permission = has_add_permission


class ReadOnlyMixin:
    """Rows that only services write: a change by hand would bypass their state machines."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Return False: nobody may add, change or delete rows by hand."""
        return False

    has_change_permission = has_delete_permission = has_add_permission


class GameFilter(admin.SimpleListFilter):
    """Filters a list by game. It offers this arena's games; Django's own filter would scan the table for values."""

    title = gettext_lazy("game")
    parameter_name = "game"
    field = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return the name and title of each game."""
        return [(name, game_title(name)) for name in settings.GAMES]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return only the rows of the chosen game."""
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset
