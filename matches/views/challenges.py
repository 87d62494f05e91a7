"""Pages on which an owner challenges a bot with one of his own."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.access import own_act, own_page, signed_in
from accounts.models import User
from common.errors import InputError
from common.limits import rate_limited
from contests.selectors.contests import duel_problem
from ladder.models import Bot
from ladder.shortcuts import bot_or_404
from matches.selectors.challenges import challengers_of
from matches.services.challenges import challenge_start


class ChallengeForm(forms.Form):
    """The choice of the bot that challenges."""

    bot = forms.ModelChoiceField(Bot.objects.none(), label=gettext_lazy("Your bot"), empty_label=None)

    def __init__(self, opponent: Bot, owner: User, data: dict[str, str] | None = None) -> None:
        """Offer the bots of an owner that can play against this one."""
        super().__init__(data)
        field = self.fields["bot"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - tells the type
        field.queryset = challengers_of(owner=owner, opponent=opponent)
        self.is_possible = field.queryset.exists()


@own_page
def challenge(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form on which an owner chooses the bot that challenges this one."""
    opponent = bot_or_404(request, pk)
    form = ChallengeForm(opponent, signed_in(request))
    context = {"bot": opponent, "form": form, "problem": duel_problem(contest=opponent.contest)}
    return render(request, "matches/challenge.html", context)


@own_act
@rate_limited("challenge")
def challenge_begin(request: HttpRequest, pk: int) -> HttpResponse:
    """Challenge a bot, and show the first of both matches."""
    owner, opponent = signed_in(request), bot_or_404(request, pk)
    form = ChallengeForm(opponent, owner, request.POST.dict())
    try:
        if not form.is_valid():
            raise InputError(_("Choose one of your bots from the list."))
        matches = challenge_start(owner=owner, opponent=opponent, **form.cleaned_data)
    except InputError as error:
        messages.error(request, str(error))
        return redirect("matches:challenge", pk=pk)
    return redirect("matches:match", pk=matches[0].pk)
