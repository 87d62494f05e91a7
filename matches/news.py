"""The kinds of news that matches and private tests bring."""

from __future__ import annotations

from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts.news_kinds import NewsKind, filled, news_kinds_register

TRIAL_ENDED = NewsKind(
    "trial_ended",
    filled(
        better=_("The private test of %(name)s says: v%(number)d is better than v%(reference)d."),
        worse=_("The private test of %(name)s says: v%(number)d is worse than v%(reference)d."),
        no_difference=_("The private test of %(name)s found no difference between v%(number)d and v%(reference)d."),
        stopped=_("The private test of %(name)s, v%(number)d against v%(reference)d, was stopped without an answer."),
    ),
    lambda values: reverse("matches:trial", args=[values["trial"]]),
    _("test ended"),
)
"""A private test has ended by itself."""
CLOSE_MATCH = NewsKind(
    "close_match",
    filled(
        level=_("A close match: %(name)s and %(opponent)s ended level."),
        won=_("A close match: %(name)s beat %(opponent)s by %(score)s to %(other_score)s."),
        lost=_("A close match: %(name)s lost to %(opponent)s by %(score)s to %(other_score)s."),
    ),
    lambda values: reverse("matches:match", args=[values["match"]]),
    for_followers=True,
)
"""A bot played a close match."""

news_kinds_register(TRIAL_ENDED, CLOSE_MATCH)
