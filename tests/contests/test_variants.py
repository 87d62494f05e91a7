"""Each variant of each game is one form away: a contest of it can be made, has house bots, and its matches begin."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from banzuke.testing import Setup
from contests.models import Contest
from contests.services.contests import contest_create, contest_transition
from games.registry import game_named
from ladder.services.housebots import housebots_load_new
from matches.encounters import encounter_matches
from tests.core.setups import registered
from tests.own import OWN

pytestmark = pytest.mark.django_db


def opened(settings: Settings, game: str, ruleset: str, tables: dict[str, float]) -> Contest:
    """Make and open a contest with house bots, and load these."""
    settings.GAMES = OWN
    contest_create(slug="cup", title="Cup", game=game, ruleset=ruleset, tables=tables, has_house_bots=True, actor=None)
    contest_transition(contest="cup", to=Contest.State.OPEN, actor=None)
    return Contest.objects.get(slug="cup")


@pytest.mark.parametrize("setup", registered(), ids=str)
def test_a_contest_of_each_variant_has_house_bots_and_matches(setup: Setup, settings: Settings) -> None:
    contest = opened(settings, setup.game.name, setup.ruleset, {str(setup.players): 1})
    assert len(housebots_load_new()) >= 2, "those in Python come before a worker has announced its languages"
    for match, seating in encounter_matches(contest, tuple(range(1, setup.players + 1))):
        assert match.options == setup.options
        assert len(seating) == setup.players
        setup.game.reset([match.seed], setup.players, match.options)


def test_back_to_the_code_with_two_to_four_players_mixed(settings: Settings) -> None:
    contest = opened(settings, "back_to_the_code", "contest", {"2": 1, "3": 1, "4": 2})
    assert {version.bot.name for version in housebots_load_new()} >= {"recar", "olaf69"}
    for size in game_named("back_to_the_code").players:
        assert len([*encounter_matches(contest, tuple(range(1, size + 1)))]) == size
