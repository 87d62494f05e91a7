"""What all lists of administrators have in common: safe with a million rows, and acts that call services."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, TypeVar

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ActionForm
from django.contrib.admin.models import LogEntry
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.access import signed_in
from accounts.services.audit import REASON_CHARS_MAX, audit_write
from common.errors import InputError
from ladder.selectors.games import games_all

RowT = TypeVar("RowT", bound=Model)

ROWS_COUNTED_MAX = 5_000
ROWS_ACTED_ON_MAX = 500


class BoundedPaginator(Paginator):  # type: ignore[type-arg]  # not subscriptable at run time
    """Pages of the first rows: to count a million takes longer than to show them, and nobody turns so many pages."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, ``ROWS_COUNTED_MAX`` at most."""
        rows: QuerySet[Any] = self.object_list  # type: ignore[assignment]  # it is one in all administrators' lists
        return rows.order_by()[:ROWS_COUNTED_MAX].count()


class ReasonForm(ActionForm):
    """The line of acts over a list, with a reason."""

    reason = forms.CharField(label=gettext_lazy("Reason:"), required=False, max_length=REASON_CHARS_MAX)


class Rows(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """A list of rows, newest first; only what an index sorts by is offered for sorting, which is that."""

    action_form = ReasonForm
    ordering = ["-pk"]
    sortable_by = ()
    paginator = BoundedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50

    def act(
        self,
        request: HttpRequest,
        rows: QuerySet[RowT],
        call: Callable[[RowT], object],
        *,
        audit: str = "",
        refusals: tuple[type[Exception], ...] = (InputError,),
    ) -> None:
        """Call a service for each chosen row, and say of each one that it refuses why.

        Args:
            request: with the reason, see ``reason_of``.
            rows: that were chosen.
            call: calls the service.
            audit: name of the service for the audit log; empty: it writes the log itself.
            refusals: the exceptions by which it refuses; their texts are whole sentences.
        """
        chosen = list(rows[: ROWS_ACTED_ON_MAX + 1])
        if len(chosen) > ROWS_ACTED_ON_MAX:
            sentence = _("Nothing was done: please choose at most %(max)d rows at a time.") % {"max": ROWS_ACTED_ON_MAX}
            self.message_user(request, sentence, messages.ERROR)
            return
        done = sum(self._act_on(request, row, call, audit, refusals) for row in chosen)
        if done:
            told = ngettext("Done for %(count)d row.", "Done for %(count)d rows.", done) % {"count": done}
            self.message_user(request, told, messages.SUCCESS)

    def _act_on(
        self,
        request: HttpRequest,
        row: RowT,
        call: Callable[[RowT], object],
        audit: str,
        refusals: tuple[type[Exception], ...],
    ) -> bool:
        target = str(row)
        try:
            if audit:
                with transaction.atomic():
                    call(row)
                    audit_write(actor=signed_in(request), act=audit, target=target, reason=reason_of(request))
            else:  # in no transaction of ours: a quarantine that its broker refuses has done all the rest
                call(row)
        except refusals as refusal:
            self.message_user(request, f"{target}: {refusal}", messages.ERROR)
            return False
        return True


class Audited(admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Rows that are changed by Django's own forms: what is done there stands in the audit log like all else.

    Django's history is shown at a row alone, and of one that was deleted nowhere: whoever made an administrator of an
    accomplice, and deleted the account again, would have left no trace that anybody reads.
    """

    def changeform_view(self, request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        """Show or save a row. What was taken between the look and the saving is found by a second look, and told.

        That is a second click, most often.
        """
        try:
            return super().changeform_view(request, *args, **options)
        except IntegrityError:
            return super().changeform_view(request, *args, **options)

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Note a new row."""
        _audit(request, "add", [obj], message)
        return super().log_addition(request, obj, message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> Any:
        """Note which fields have changed."""
        _audit(request, "change", [obj], message)
        return super().log_change(request, obj, message)

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> Any:
        """Note rows that are about to go."""
        _audit(request, "delete", queryset)
        return super().log_deletions(request, queryset)  # type: ignore[arg-type]  # a list of one, from a row's page


def _audit(request: HttpRequest, verb: str, rows: Iterable[Model], message: Any = ()) -> None:
    with translation.override("en"):  # what is stored is English, whoever did it
        told = LogEntry(change_message=json.dumps(message)).get_change_message() if message else ""
    for row in rows:
        audit_write(actor=signed_in(request), act=f"{row._meta.model_name}_{verb}", target=str(row), reason=told)


def may_do_everything(request: HttpRequest) -> bool:
    """Tell whether an administrator may do everything, and not only what he was allowed."""
    return signed_in(request).is_superuser


class Guarded:
    """Rows by which one could become somebody else: for those only who may do everything anyway."""

    def has_add_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Say whether somebody may add a row."""
        return may_do_everything(request)

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Say whether somebody may change a row."""
        return may_do_everything(request)

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Say whether somebody may delete a row."""
        return may_do_everything(request)


class ReadOnly:
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


def reason_of(request: HttpRequest) -> str:
    """Return the reason that stands beside the chosen act."""
    return request.POST.get("reason", "").strip()


class GameFilter(admin.SimpleListFilter):
    """By game: those of this arena, where Django would read all rows to find out which there are."""

    title = gettext_lazy("game")
    parameter_name = "game"
    field = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        """Return name and title of each game."""
        return [(card.name, card.title) for card in games_all()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Leave the rows of the chosen game."""
        return queryset.filter(**{self.field: self.value()}) if self.value() else queryset


class BotGameFilter(GameFilter):
    """By the game of the bot."""

    field = "bot__game"
