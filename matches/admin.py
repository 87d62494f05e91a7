"""The administrators' pages of matches. They show rows; changes go through the services."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_parts import GameFilter, ListAdmin, ReadOnlyMixin, row_action
from accounts.models import User
from common.errors import IllegalTransition, InputError
from common.text import is_row_number
from common.words.messages import sentence_of
from core.message import Message, said
from core.text import printable
from ladder.models import BotVersion
from matches.models import Attempt, Match, RemoteSeat, Seat, Trial
from matches.selectors.filters import matches_of
from matches.selectors.matches import evidence_for_reader
from matches.services.lifecycle import match_void
from matches.services.quarantine import match_void_and_requeue
from matches.services.reruns import match_rerun


class ReasonMixin:
    """Shows the ``reason`` of rows, a stored message, as a sentence."""

    @admin.display(description=gettext_lazy("Reason"))
    def sentence(self, row: Attempt | Trial) -> str:
        """Return the reason for which an attempt or a private test ended, as a sentence; empty if none is stored."""
        return printable(sentence_of(row.reason))


def _action(words: Promise, audit: str, call: Callable[[Match, Message | None], object]) -> Callable[..., None]:
    """Return an action of the admin, titled ``words``, that calls a service with a match and the typed reason or None.

    ``audit`` is the action's name in the audit log.
    """

    def called(match: Match, _actor: User, reason: str) -> None:
        try:
            call(match, said(reason) if reason else None)
        except IllegalTransition as error:
            raise InputError(_("It is void already, so there is no result to take out.")) from error

    return row_action(words, called, audit=audit)


class SeatInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The seats of a match, with the evidence of faults."""

    model = Seat
    extra = 0
    exclude = ["evidence"]
    readonly_fields = ["evidence_lines"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """Return the seats with their versions and bots, whose names are shown."""
        rows: QuerySet[Seat] = super().get_queryset(request)
        return rows.select_related("version__bot").defer("version__log")

    @admin.display(description=gettext_lazy("Evidence of the fault"))
    def evidence_lines(self, seat: Seat) -> str:
        """Return the evidence of a fault, a line for each field: one may hold a whole board. Empty without a fault."""
        evidence = evidence_for_reader(seat.evidence, game=seat.match.game) if seat.evidence else {}
        return printable("\n".join(f"{name}: {value}" for name, value in evidence.items()))


class RemoteSeatInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The seats of an exhibition that no bot plays."""

    model = RemoteSeat
    extra = 0
    exclude = ["secret_hash", "visitor", "evidence"]


class AttemptInline(ReasonMixin, ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The attempts of a match."""

    model = Attempt
    extra = 0
    exclude = ["lease_token", "reason"]
    readonly_fields = ["sentence"]


@admin.register(Match)
class MatchAdmin(ReadOnlyMixin, ListAdmin):
    """Matches: found by number, or by the name of a bot or of its owner."""

    list_display = ["__str__", "game", "kind", "state", "attempt", "void_sentence", "created_at", "finished_at"]
    list_filter = [GameFilter, "state", "kind"]
    search_fields = ["pk"]
    search_help_text = gettext_lazy("Number of a match, or the whole name of a bot or of its owner.")
    exclude = ["lease_token", "void_reason"]
    readonly_fields = ["void_sentence"]
    inlines = [SeatInline, RemoteSeatInline, AttemptInline]
    actions = ["void", "replace", "rerun"]

    @admin.display(description=gettext_lazy("Reason"))
    def void_sentence(self, match: Match) -> str:
        """Return why a match is void, as a sentence; empty for other matches."""
        return printable(sentence_of(match.void_reason))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find matches by key or by the whole name of a bot or its owner: each of these has an index."""
        word = search_term.strip()
        if not word:
            return queryset, False
        if is_row_number(word):
            return queryset.filter(pk=int(word)), False
        named = Q(bot__name__iexact=word) | Q(bot__owner__username__iexact=word)
        return matches_of(queryset, BotVersion.objects.filter(named)), False

    void = _action(
        gettext_lazy("Void (with a reason that everybody reads)"),
        "match_void",
        lambda match, reason: match_void(match=match, reason=reason or Message("match-voided")),
    )
    replace = _action(
        gettext_lazy("Void and play again as a rated match"),
        "match_replace",
        lambda match, reason: match_void_and_requeue(pk=match.pk, reason=reason or Message("match-replaced")),
    )
    rerun = _action(
        gettext_lazy("Play once more, unrated (re-run)"), "match_rerun", lambda match, reason: match_rerun(match=match)
    )


@admin.register(Attempt)
class AttemptAdmin(ReasonMixin, ReadOnlyMixin, ListAdmin):
    """Attempts: found by the number of their match, or by the name of their worker."""

    list_display = ["__str__", "worker", "ending", "sentence", "queued_at", "started_at", "ended_at"]
    list_filter = ["ending"]
    search_fields = ["pk"]
    search_help_text = gettext_lazy("Number of a match, or the whole name of a worker.")
    exclude = ["lease_token", "reason"]
    readonly_fields = ["sentence"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find attempts by the key of their match or by the whole name of their worker."""
        word = search_term.strip()
        if not word:
            return queryset, False
        return queryset.filter(match=int(word)) if is_row_number(word) else queryset.filter(worker=word), False


@admin.register(Trial)
class TrialAdmin(ReasonMixin, ReadOnlyMixin, ListAdmin):
    """Private tests."""

    list_display = ["__str__", "owner", "game", "candidate", "reference", "state", "created_at", "ended_at"]
    list_filter = [GameFilter, "state"]
    list_select_related = ["owner", "candidate__bot", "reference__bot"]
    exclude = ["reason"]
    readonly_fields = ["sentence"]
    search_fields = ["owner__username"]
