"""The way of a bot into the arena: its upload, and the page of the version that it becomes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.access import signed_in
from common.errors import InputError, StoreAway
from common.text import is_row_number
from common.words.sentences import translated
from jobs.selectors.languages import languages_all
from ladder.files.archives import ENTRIES_MAX, TOTAL_MIB
from ladder.forms import UploadForm
from ladder.models import Bot, BotVersion, GameSetting
from ladder.selectors.boards import interval_of, rating_of, rating_provisional, version_place, version_rank
from ladder.selectors.bots import (
    LIVE_STATES,
    quota_of,
    uploads_waiting,
    version_of,
    version_to_resume,
)
from ladder.selectors.games import game_card, game_setting, games_all, play_problem
from ladder.selectors.uploads import play_again_problem
from ladder.services.uploads import version_create, version_play_again, version_retry
from ladder.services.versions import version_resume, version_retire
from ladder.shortcuts import limited, store_awaited
from ladder.uploaded_files import upload_response
from ladder.words.advice import version_advice
from ladder.words.progress import FINAL_STATES, progress_steps

ASK_SECONDS_MAX = 5
UPLOADS_A_SECOND = 10
"""For so many that wait, a page asks a second later."""


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@limited("upload")
def upload(request: HttpRequest) -> HttpResponse:
    """Take a bot."""
    if request.method != "POST":
        return _upload_page(request, UploadForm(initial=_upload_initial(request)))
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        return _upload_page(request, form)
    try:
        version = version_create(owner=signed_in(request), **form.cleaned_data)
    except InputError as error:
        form.add_error(None, str(error))
        return _upload_page(request, form)
    except StoreAway as error:
        form.add_error(None, str(error))
        return _upload_page(request, form, HTTPStatus.SERVICE_UNAVAILABLE)
    return redirect("ladder:version", pk=version.pk)


@login_required
@never_cache
@require_safe
def version(request: HttpRequest, pk: int) -> HttpResponse:
    """Show owners how far their upload is, and why it was rejected if it was."""
    return render(request, "ladder/version.html", _progress_context(_own_version_or_404(request, pk)))


@login_required
@never_cache
@require_safe
def version_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Return the part of the version's page that changes; the page asks for it again and again until it is final.

    While what the page shows is still so, the answer is empty and the page stays as it is: a screen reader says nothing
    twice, and a button keeps its focus.
    """
    context = _progress_context(_own_version_or_404(request, pk))
    if request.GET.get("seen") == context["seen"]:
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    return render(request, "ladder/_progress.html", context)


@login_required
@never_cache
@require_safe
def version_status(request: HttpRequest, pk: int) -> JsonResponse:
    """Return how an own version stands, for programs that wait for it."""
    found = _own_version_or_404(request, pk)
    rating = rating_of(found)
    return JsonResponse(
        {
            "bot": found.bot_id,
            "state": found.state,
            "sentence": translated(found.sentence),
            "games": rating.games if rating else 0,
            "rating": rating.rating if rating else None,
            "interval": interval_of(rating) if rating else None,
            "rank": version_rank(version=found),
            "provisional": rating is not None and rating_provisional(rating),
            "place": version_place(version=found),
        }
    )


@login_required
@require_POST
def version_act(request: HttpRequest, pk: int, action: str) -> HttpResponse:
    """Withdraw an own version, have it built again, or end its probation."""
    found = _own_version_or_404(request, pk) if action != "resume" else _version_to_resume_or_404(request, pk)
    resume = partial(version_resume, actor=signed_in(request))
    acts: dict[str, Callable[..., BotVersion]] = {"retire": version_retire, "retry": version_retry, "resume": resume}
    try:
        acts[action](version=found)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("ladder:bot", pk=found.bot_id) if action == "resume" else redirect("ladder:version", pk=pk)


@login_required
@require_POST
@store_awaited
@limited("upload")
def version_again(request: HttpRequest, pk: int) -> HttpResponse:
    """Have an own older version play again, and show the new one."""
    found = _own_version_or_404(request, pk)
    try:
        found = version_play_again(version=found)
    except InputError as error:
        messages.error(request, str(error))
    return redirect("ladder:version", pk=found.pk)


@login_required
@never_cache
@require_safe
@store_awaited
@limited("download", method="GET")
def version_download(request: HttpRequest, pk: int) -> HttpResponse:
    """Give owners back what they have uploaded."""
    found = _own_version_or_404(request, pk)
    try:
        return upload_response(version=found)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("ladder:version", pk=pk)


def _upload_page(
    request: HttpRequest, form: UploadForm, error_status: HTTPStatus = HTTPStatus.UNPROCESSABLE_ENTITY
) -> HttpResponse:
    context = {
        "form": form,
        "quota": quota_of(owner=signed_in(request)),
        "languages": languages_all(),
        "upload_mib": settings.UPLOAD_MAX_BYTES // 1024**2,
        "unpacked_mib": TOTAL_MIB,
        "files_max": ENTRIES_MAX,
        "games": games_all(),
    }
    status = error_status if form.errors else HTTPStatus.OK
    return render(request, "ladder/upload.html", context, status=status)


def _upload_initial(request: HttpRequest) -> dict[str, str]:
    """Fill the form in when the page is opened from an own bot's page."""
    number = request.GET.get("bot", "")
    known = Bot.objects.filter(pk=number, owner=signed_in(request)).first() if is_row_number(number) else None
    if known and game_card(name=known.game):  # else its name would be taken for a new bot of another game
        return {"game": known.game, "name": known.name}
    return {"game": request.GET.get("game", "")}


def _progress_context(version: BotVersion) -> dict[str, object]:
    state = game_setting(game=version.bot.game).state
    return {
        "version": version,
        "seen": f"{version.state}-{version.step}",
        "steps": progress_steps(version),
        "final": version.state in FINAL_STATES,
        "advice": version_advice(version=version),
        "notice": play_problem(state),
        "withdrawable": version.state in LIVE_STATES and state != GameSetting.State.FROZEN,
        # These are called when they are drawn: most answers are empty.
        "ask_seconds": partial(_ask_seconds, version),
        "play_again_problem": partial(play_again_problem, version=version),
    }


def _ask_seconds(version: BotVersion) -> int:
    """Return how often the page asks: each second, but seldom while a long queue stands before the builders.

    Before a deadline sixty open pages took half a core, which builders on the same machine then did not have.
    """
    waiting = uploads_waiting() if version.state == BotVersion.State.UPLOADED else 0
    return min(1 + waiting // UPLOADS_A_SECOND, ASK_SECONDS_MAX)


def _own_version_or_404(request: HttpRequest, pk: int) -> BotVersion:
    found = version_of(pk=pk, owner=request.user)
    if found is None:
        raise Http404(_("There is no such version."))
    return found


def _version_to_resume_or_404(request: HttpRequest, pk: int) -> BotVersion:
    found = version_to_resume(pk=pk, reader=request.user)
    if found is None:
        raise Http404(_("There is no such version."))
    return found
