"""Django admin pages of bots, versions and contests. Their actions call services, which check them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from django.contrib import admin
from django.db.models import QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.access import signed_in
from accounts.admin_parts import GameFilter, ListAdmin, ReadOnlyMixin, row_action
from common.words.messages import sentence_of
from contests.models import Contest
from contests.services.contests import contest_transition
from core.text import printable
from ladder.forms import AnnouncementForm
from ladder.models import Announcement, Bot, BotVersion, Rating
from ladder.selectors.bots import LIVE_STATES
from ladder.services.announcements import announcement_delete, announcement_save
from ladder.services.uploads import version_retry
from ladder.services.versions import version_disqualify

_withdraw = partial(
    row_action,
    _("Withdraw: no new matches"),
    lambda version, actor, reason: version_disqualify(version=version, reason=reason),
    audit="version_disqualify",
)


@admin.register(Bot)
class BotAdmin(ReadOnlyMixin, ListAdmin):
    """Bots."""

    list_display = ["name", "contest", "owner", "is_house", "created_at"]
    list_filter = [GameFilter, "is_house"]
    list_select_related = ["contest", "owner"]
    search_fields = ["name", "owner__username"]
    actions = ["withdraw"]

    withdraw = _withdraw(
        rows_of=lambda bots: BotVersion.objects.filter(bot__in=bots.order_by(), state__in=LIVE_STATES).select_related(
            "bot"
        )
    )


class BotGameFilter(GameFilter):
    """Filters versions by the game of their bot."""

    field = "bot__game"


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

    withdraw = _withdraw()
    rebuild = row_action(
        _("Build again what we failed to build"),
        lambda version, actor, reason: version_retry(version=version),
        audit="version_retry",
    )


@admin.register(Rating)
class RatingAdmin(ReadOnlyMixin, ListAdmin):
    """Ratings of the last fit."""

    list_display = ["version", "rating", "standard_error", "games", "rank", "last_match_at", "fitted_at"]
    list_filter = [GameFilter, "listed"]
    list_select_related = ["version__bot"]
    search_fields = ["version__bot__name"]


def _moved(words: Promise, to: Contest.State) -> Callable[..., None]:
    return row_action(
        words,
        lambda contest, actor, reason: contest_transition(contest=contest.slug, to=to, actor=actor, reason=reason),
    )


@admin.register(Contest)
class ContestAdmin(ReadOnlyMixin, ListAdmin):
    """The state of each contest. Everything else about it is set on its organisers' desk."""

    ordering = ["slug"]
    list_display = ["slug", "game", "state", "reason", "visibility", "entries_until", "limits", "changed_at"]
    actions = ["open", "pause", "freeze"]

    open = _moved(_("Open: take bots and pair matches"), Contest.State.OPEN)
    pause = _moved(_("Pause: no new matches"), Contest.State.PAUSED)
    freeze = _moved(_("Freeze: no bots, no new matches"), Contest.State.FROZEN)


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
