"""The page for uploads, and the page of a version with its progress and actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from accounts.access import own_act, own_form, own_page, signed_in
from common.arrivals import arrived_at
from common.errors import InputError
from common.limits import rate_limited
from common.shortcuts import act_told, form_page, store_away_as_503
from common.text import is_row_number
from common.words.messages import sentence_of
from contests.headers import page_contest_set
from contests.selectors.contests import contests_open, contests_to_enter, play_problem
from jobs.selectors.languages import languages_all
from ladder.files.archives import ENTRIES_MAX, TOTAL_MIB
from ladder.forms import UploadForm
from ladder.models import BotVersion
from ladder.selectors.boards import version_place, version_rank
from ladder.selectors.bots import LIVE_STATES, bots_own
from ladder.selectors.builds import builds_waiting
from ladder.selectors.quotas import quota_of
from ladder.selectors.ratings import interval_of, rating_of, rating_provisional
from ladder.selectors.versions import play_again_problem, version_of, version_to_resume
from ladder.services.uploads import upload_receive, version_play_again, version_retry
from ladder.services.versions import version_resume, version_retire
from ladder.uploaded_files import upload_response
from ladder.words.advice import version_advice
from ladder.words.progress import FINAL_STATES, progress_steps

POLL_SECONDS_MAX = 5
"""The longest time between two requests of a page that waits for a build."""
UPLOADS_A_SECOND = 10
"""Together, the pages of queued builds may poll this often: a page waits a second longer for each group of this many
builds in the queue."""


@own_form
@rate_limited("upload")
def upload(request: HttpRequest) -> HttpResponse:
    """Show the form for an upload (GET), or take an upload (POST)."""
    user, is_sent = signed_in(request), request.method == "POST"
    initial = {} if is_sent else _upload_initial(request)
    contests = contests_to_enter(reader=user, wanted=request.POST.get("contest", initial.get("contest", "")))
    sent = (request.POST, request.FILES) if is_sent else ()
    form = UploadForm(*sent, initial=initial, contests=contests)
    version = form.saved(lambda: upload_receive(owner=user, received_at=arrived_at(request), **form.cleaned_data))
    if version is not None:
        return redirect("ladder:version", pk=version.pk)
    chosen = form["contest"].value()
    return form_page(
        request,
        "ladder/upload.html",
        form,
        quota=quota_of(owner=user),
        languages=languages_all(),
        upload_mib=settings.UPLOAD_MAX_BYTES // 1024**2,
        unpacked_mib=TOTAL_MIB,
        files_max=ENTRIES_MAX,
        # Of these the page tells the limits.
        contests=[contest for contest in contests if contest.slug == chosen] or contests_open(),
    )


@own_page
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the owner the progress of an upload, or why it was rejected."""
    return render(request, "ladder/version.html", _progress_context(_own_version_or_404(request, pk)))


@own_page
def version_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part of a version's page that changes; the page requests it repeatedly until the state is final.

    The answer is 204 while nothing has changed (``?seen=``). So the page keeps its elements: a screen reader does not
    repeat them, and a button keeps its focus.
    """
    context = _progress_context(_own_version_or_404(request, pk))
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "ladder/_progress.html", context)


@own_page
def version_status(request: HttpRequest, pk: int) -> JsonResponse:
    """Return state and rating of an own version as JSON, for programs that wait for its build."""
    found = _own_version_or_404(request, pk)
    rating = rating_of(found)
    return JsonResponse(
        {
            "bot": found.bot_id,
            "state": found.state,
            "sentence": sentence_of(found.reason, found.bot.game),
            "games": rating.games if rating else 0,
            "rating": rating.rating if rating else None,
            "interval": interval_of(rating) if rating else None,
            "rank": version_rank(version=found),
            "provisional": rating is not None and rating_provisional(rating),
            "place": version_place(version=found),
        }
    )


@own_act
def version_act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Withdraw a version, retry its build, or end its probation (``action``: retire, retry, resume)."""
    found = version_to_resume(pk=pk, reader=request.user) if action == "resume" else _own_version_or_404(request, pk)
    if found is None:
        raise Http404(_("There is no such version."))
    actor = signed_in(request)
    acts: dict[str, Callable[..., BotVersion]] = {
        "retire": version_retire,
        "retry": partial(version_retry, actor=actor),
        "resume": partial(version_resume, actor=actor),
    }
    act_told(request, lambda: acts[action](version=found))
    return redirect("ladder:bot", pk=found.bot_id) if action == "resume" else redirect("ladder:version", pk=pk)


@own_act
@store_away_as_503
@rate_limited("upload")
def version_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Create a new version from the upload of an own older one, and redirect to its page."""
    found = _own_version_or_404(request, pk)
    try:
        found = version_play_again(version=found, actor=signed_in(request), received_at=arrived_at(request))
    except InputError as error:
        messages.error(request, str(error))
    return redirect("ladder:version", pk=found.pk)


@own_page
@store_away_as_503
@rate_limited("download", method="GET")
def version_download(request: HttpRequest, pk: int) -> HttpResponse:
    """Serve the upload of an own version as a zip."""
    found = _own_version_or_404(request, pk)
    try:
        return upload_response(version=found)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("ladder:version", pk=pk)


def _upload_initial(request: HttpRequest) -> dict[str, str]:
    """Return the initial values of the form: those of the own bot in ``?bot=``, or the contest in ``?contest=``."""
    number = request.GET.get("bot", "")
    known = bots_own(reader=signed_in(request)).filter(pk=number).first() if is_row_number(number) else None
    if known and known.game in settings.GAMES:  # an arena may have stopped offering the game
        return {"contest": known.contest_id, "name": known.name}
    return {"contest": request.GET.get("contest") or request.GET.get("game", "")}


def _progress_context(version: BotVersion) -> dict[str, object]:
    contest = version.bot.contest
    return {
        "version": version,
        "seen": f"{version.state}-{version.step}",
        "steps": progress_steps(version),
        "final": version.state in FINAL_STATES,
        "advice": version_advice(version=version),
        "notice": "" if contest.is_in_finals else play_problem(contest.state),
        "withdrawable": version.state in LIVE_STATES and not contest.is_over,
        # Templates call these only when they render them; the 204 of most requests does not.
        "poll_seconds": partial(_poll_seconds, version),
        "play_again_problem": partial(play_again_problem, version=version),
    }


def _poll_seconds(version: BotVersion) -> int:
    """Return the seconds between two requests of the page: 1, and more while many builds wait in the queue.

    Measured before a deadline, sixty open pages took half a core from builders on the same machine.
    """
    is_waiting = version.state in (BotVersion.State.RECEIVED, BotVersion.State.UPLOADED)
    waiting = builds_waiting() if is_waiting else 0
    return min(1 + waiting // UPLOADS_A_SECOND, POLL_SECONDS_MAX)


def _own_version_or_404(request: HttpRequest, pk: int) -> BotVersion:
    found = version_of(pk=pk, owner=request.user)
    if found is None:
        raise Http404(_("There is no such version."))
    page_contest_set(request, found.bot.contest)
    return found
