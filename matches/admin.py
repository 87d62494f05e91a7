"""The administrators' pages of matches. Matches are read there; the one change goes through its service."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from ladder.admin import ReadOnlyAdmin, administrator
from ladder.services.audit import audit_write
from matches.models import Attempt, Match, Seat
from matches.services.lifecycle import IllegalTransition, match_void


class SeatInline(ReadOnlyAdmin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The seats of a match, with the evidence of faults."""

    model = Seat
    extra = 0


class AttemptInline(ReadOnlyAdmin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The attempts of a match."""

    model = Attempt
    extra = 0
    exclude = ["lease_token"]


@admin.register(Match)
class MatchAdmin(ReadOnlyAdmin, admin.ModelAdmin):  # type: ignore[type-arg]  # not subscriptable at run time
    """Matches, with the one act an administrator may need: to take one out of the ratings."""

    list_display = ["__str__", "game", "state", "attempt", "void_reason", "created_at", "started_at", "finished_at"]
    list_filter = ["state", "game"]
    search_fields = ["=id", "seats__version__bot__name"]
    exclude = ["lease_token"]
    inlines = [SeatInline, AttemptInline]
    actions = ["void"]

    @admin.action(description=gettext_lazy("Void: take out of the ratings"), permissions=["view"])
    def void(self, request: HttpRequest, matches: QuerySet[Match]) -> None:
        """Take the chosen matches out."""
        for match in matches:
            try:
                with transaction.atomic():
                    match_void(match=match, reason=gettext_noop("An administrator took this match out."))
                    audit_write(actor=administrator(request), act="match_void", target=f"match {match.pk}")
            except IllegalTransition:
                sentence = _("Match %(pk)s has no result to take out: it is void already.") % {"pk": match.pk}
                self.message_user(request, sentence, messages.ERROR)
            else:
                self.log_change(request, match, "void")
