"""What organisers do with the bots and announcements of a contest, at its desk."""

from __future__ import annotations

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.access import signed_in
from common.forms import posted
from common.shortcuts import act_told
from common.text import is_row_number
from contests.models import Contest
from contests.shortcuts import organisers_only
from contests.views.desk import desk_page
from ladder.forms import ContestAnnouncementForm
from ladder.models import Announcement
from ladder.selectors.desk import desk_announcements, desk_version
from ladder.services.announcements import announcement_delete, announcement_save
from ladder.services.desk import desk_disqualify


@require_POST
@organisers_only
def disqualify(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Withdraw the version that plays for a bot of the contest, with a reason."""
    number = request.POST.get("bot", "")
    version = desk_version(contest=contest.slug, bot=int(number)) if is_row_number(number) else None
    if version is None:
        raise Http404(_("There is no such bot."))

    def disqualified() -> str:
        desk_disqualify(version=version, actor=signed_in(request), reason=posted(request, "reason"))
        return _("%(name)s is disqualified, and its owner is told.") % {"name": version.bot.name}

    act_told(request, disqualified)
    return redirect("contests:desk", place=contest)


@require_POST
@organisers_only
def announce(request: HttpRequest, contest: Contest) -> HttpResponse:
    """Put an announcement on the pages of a contest."""
    form = ContestAnnouncementForm(request.POST, label_suffix="")
    if not form.is_valid():
        return desk_page(request, contest, status=HTTPStatus.UNPROCESSABLE_ENTITY, announcement_form=form)
    announcement_save(announcement=Announcement(contest=contest, **form.cleaned_data), actor=signed_in(request))
    return redirect("contests:desk", place=contest)


@require_POST
@organisers_only
def announcement_end(request: HttpRequest, contest: Contest, pk: int) -> HttpResponse:
    """Delete an announcement of a contest."""
    found = desk_announcements(contest=contest.slug).filter(pk=pk).first()
    if found is None:
        raise Http404(_("There is no such announcement."))
    announcement_delete(announcement=found, actor=signed_in(request))
    return redirect("contests:desk", place=contest)
