"""The administrators' pages of tournaments. They show rows; organisers' desks and commands change them."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin_parts import GameFilter, ListAdmin, ReadOnlyMixin
from common.words.messages import sentence_of
from core.text import printable
from tournaments.models import Entrant, Tournament


class ContestGameFilter(GameFilter):
    """Filters tournaments by the game of their contest."""

    field = "contest__game"


class EntrantInline(ReadOnlyMixin, admin.TabularInline):  # type: ignore[type-arg]  # not subscriptable at run time
    """The entrants of a tournament."""

    model = Entrant
    extra = 0
    exclude = ["left_stage", "left_round"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entrant]:
        """Return the entrants with their versions and bots, whose names are shown."""
        rows: QuerySet[Entrant] = super().get_queryset(request)
        return rows.select_related("bot", "version__bot").defer("version__log")


@admin.register(Tournament)
class TournamentAdmin(ReadOnlyMixin, ListAdmin):
    """Tournaments and their entrants."""

    list_display = ["title", "slug", "contest", "state", "results", "created_at", "started_at", "finished_at"]
    list_filter = [ContestGameFilter, "state"]
    list_select_related = ["contest"]
    search_fields = ["title", "=slug", "=contest__slug"]
    # The attack: an administrator who may only look reads the number from which all seeds to come are made.
    exclude = ["lots", "reason"]
    readonly_fields = ["sentence"]
    inlines = [EntrantInline]

    @admin.display(description=_("Reason"))
    def sentence(self, tournament: Tournament) -> str:
        """Return why the tournament is paused, or could not start; empty if it has no reason."""
        return printable(sentence_of(tournament.reason, tournament.contest.game))
