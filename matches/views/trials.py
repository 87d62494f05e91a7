"""Pages of private tests: "is v7 better than v6?"."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import own_act, own_page, signed_in
from common.errors import InputError
from common.limits import rate_limited
from contests.headers import page_contest_set
from ladder.models import Bot, BotVersion
from ladder.selectors.bots import bot_for_reader, bot_is_own
from matches.models import Trial
from matches.selectors import trials as selectors
from matches.services.trials import trial_start, trial_stop


class TrialForm(forms.Form):
    """The choice of the two versions of a private test."""

    candidate = forms.ModelChoiceField(BotVersion.objects.none(), label=gettext_lazy("Is this version"))
    reference = forms.ModelChoiceField(BotVersion.objects.none(), label=gettext_lazy("better than this one?"))

    def __init__(self, bot: Bot, data: dict[str, str] | None = None) -> None:
        """Offer the versions of a bot, with the two newest selected."""
        versions = selectors.versions_testable(bot=bot).select_related("bot")
        newest = [version.pk for version in versions[:2]]
        super().__init__(data, initial=dict(zip(("candidate", "reference"), newest, strict=False)))
        for field in self.fields.values():
            if isinstance(field, forms.ModelChoiceField):
                field.queryset, field.empty_label = versions, None
        self.is_possible = len(newest) > 1


@own_page
def trials(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the owner of a bot its private tests, and the form that begins one."""
    bot = _own_bot_or_404(request, pk)
    context = {
        "bot": bot,
        "form": TrialForm(bot),
        "trials": selectors.trials_of_bot(bot=bot, owner=request.user),
    }
    return render(request, "matches/trials.html", context)


@own_act
@rate_limited("trial")
def trial_begin(request: HttpRequest, pk: int) -> HttpResponse:
    """Begin a private test."""
    bot = _own_bot_or_404(request, pk)
    form = TrialForm(bot, request.POST.dict())
    try:
        if not form.is_valid():
            raise InputError(_("Choose two versions of this bot from the lists."))
        trial = trial_start(owner=signed_in(request), **form.cleaned_data)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("matches:trials", pk=pk)
    return redirect("matches:trial", pk=trial.pk)


@own_page
def trial(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the owner the progress or the outcome of a private test."""
    return render(request, "matches/trial.html", _context(_own_trial_or_404(request, pk)))


@own_page
def trial_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the part of a private test's page that changes; the page fetches it again while the test runs."""
    return render(request, "matches/_trial.html", _context(_own_trial_or_404(request, pk)))


@own_act
def trial_end(request: HttpRequest, pk: int) -> HttpResponse:
    """Stop a private test."""
    trial_stop(trial=_own_trial_or_404(request, pk))
    return redirect("matches:trial", pk=pk)


def _context(trial: Trial) -> dict[str, object]:
    result = trial.result
    games = 2 * result["pairs"] if result else 0
    return {"trial": trial, "result": result, "games": games, "faults": selectors.trial_faults(trial=trial)}


def _own_bot_or_404(request: HttpRequest, pk: int) -> Bot:
    bot = bot_for_reader(pk=pk, reader=request.user)
    if bot is None or not bot_is_own(bot=bot, reader=request.user):
        raise Http404(_("There is no such bot, or it is not yours."))
    page_contest_set(request, bot.contest)
    return bot


def _own_trial_or_404(request: HttpRequest, pk: int) -> Trial:
    trial = selectors.trial_of(pk=pk, owner=request.user)
    if trial is None:
        raise Http404(_("There is no such test, or it is not yours."))
    page_contest_set(request, trial.candidate.bot.contest)
    return trial
