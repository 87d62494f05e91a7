"""The page of the workshop, and what it stores: drafts and versions."""

from __future__ import annotations

from http import HTTPStatus

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from common.errors import InputError
from ladder.shortcuts import contest_or_404, rate_limited, store_away_as_503
from workshop.services.drafts import draft_save
from workshop.services.submitting import files_submit
from workshop.views.bodies import DraftBody, SubmitBody, body_read


@never_cache
@require_safe
def workshop(request: HttpRequest, place: str) -> HttpResponse:
    """Show the workshop of a contest."""
    contest = contest_or_404(request, place)
    return render(request, "workshop/workshop.html", {"contest": contest})


@login_required
@require_POST
@rate_limited("draft")
def draft(request: HttpRequest, place: str) -> HttpResponse:
    """Store the files on which a user works."""
    contest = contest_or_404(request, place)
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    try:
        body = body_read(request, DraftBody)
        draft_save(owner=request.user, contest=contest, language=body.language, files=body.files)
    except InputError as error:
        return refused(error)
    return HttpResponse(status=HTTPStatus.NO_CONTENT)


@login_required
@require_POST
@rate_limited("upload")
@store_away_as_503
def submit(request: HttpRequest, place: str) -> HttpResponseBase:
    """Make files a version of a bot, as an upload does."""
    contest = contest_or_404(request, place)
    assert isinstance(request.user, User)  # noqa: S101 - login_required
    try:
        body = body_read(request, SubmitBody)
        version = files_submit(
            owner=request.user, contest=contest.slug, language=body.language, files=body.files, name=body.name
        )
    except InputError as error:
        return refused(error)
    url = reverse("ladder:version", args=[version.pk])
    return JsonResponse({"url": url}, status=HTTPStatus.CREATED)


def refused(error: InputError, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> JsonResponse:
    """Return the sentence of a refusal as JSON."""
    return JsonResponse({"error": str(error)}, status=status)
