"""What new versions mend in the rows of older ones."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps

from matches.models import Attempt, Match
from matches.services.lifecycle import match_enqueue, match_transition, match_void
from tests.matches.makers import make_match, make_version

pytestmark = [pytest.mark.database, pytest.mark.django_db]


def attempts_end() -> None:
    import_module("matches.migrations.0011_attempts_taken_back").attempts_end(apps, None)


def test_attempts_at_matches_that_were_taken_out_are_not_under_way_for_ever() -> None:
    pair = make_version("a"), make_version("b")
    left, told, playing = (make_match(*pair) for _ in range(3))
    for match in (left, told, playing):
        match_enqueue(match=match)
        match.refresh_from_db()
    match_transition(match=left, state=Match.State.VOID)  # as older versions left it: its attempt goes on
    match_void(match=told, reason="Taken out.")
    before = {attempt.match_id: attempt.ended_at for attempt in Attempt.objects.all()}
    attempts_end()
    attempts = {attempt.match_id: attempt for attempt in Attempt.objects.all()}
    assert (attempts[left.pk].ending, attempts[left.pk].ended_at) == ("withdrawn", left.finished_at)
    assert (attempts[told.pk].ending, attempts[told.pk].ended_at) == ("withdrawn", before[told.pk])
    assert (attempts[playing.pk].ending, attempts[playing.pk].ended_at) == ("", None)
