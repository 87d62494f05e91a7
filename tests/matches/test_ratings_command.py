"""``manage.py ratings``: proves that the board follows from the log, and voids matches."""

from __future__ import annotations

import re
import shlex
from datetime import datetime, timedelta
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import AuditEntry
from core.message import said, stored
from jobs.leases import token_new
from ladder.models import Bot, BotVersion, Rating
from matches.management.commands import ratings as command
from matches.models import Attempt, Match, Result
from matches.selectors.rated_results import RatedResults, results_read
from matches.services import ratings as services
from matches.services.ratings import ratings_refit
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_version
from tests.matches.test_ratings import GAME, beat, make_house, make_rival, shown

pytestmark = pytest.mark.django_db


def ratings(*arguments: str) -> str:
    out = StringIO()
    call_command("ratings", *arguments, stdout=out)
    return out.getvalue()


def rivals() -> list[BotVersion]:
    return [BotVersion.objects.get(bot__name=name) for name in ("strong", "weak")]


@pytest.fixture(autouse=True)
def board() -> None:
    """A board of three bots."""
    strong, weak, other = (make_rival(name) for name in ("strong", "weak", "other"))
    beat(strong, weak, times=3)
    beat(weak, other, times=2)
    ratings_refit(contest=GAME)


def test_a_board_is_proven() -> None:
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)
    assert ratings("rebuild", "--check").count("to the last bit") > 1


def test_a_version_that_differs_is_named_and_put_right() -> None:
    row = Rating.objects.get(version__bot__name="weak")
    Rating.objects.filter(pk=row.pk).update(rating=row.rating + 0.001)
    with pytest.raises(CommandError, match=f"weak v1 \\(version {row.version_id}\\)") as error:
        ratings("rebuild", "--check", "--contest", GAME)
    assert "strong" not in str(error.value)
    assert "fitted anew" in ratings("rebuild", "--contest", GAME)
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)


def test_a_missing_row_is_named() -> None:
    Rating.objects.get(version__bot__name="weak").delete()
    with pytest.raises(CommandError, match="the board has None"):
        ratings("rebuild", "--check")


def test_results_that_the_board_has_not_seen_are_no_hindrance() -> None:
    """A busy arena always has newer results: the board is compared with a fit of those that it was made from."""
    strong, weak = rivals()
    beat(weak, strong, times=2)
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)
    Rating.objects.filter(version=weak).update(games=7)
    with pytest.raises(CommandError, match="weak v1"):
        ratings("rebuild", "--check", "--contest", GAME)


def test_a_result_that_was_committed_late_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CHECK_SECONDS", -1.0)
    first = Match.objects.earliest("finished_at").finished_at
    assert first
    beat(*rivals())
    Match.objects.filter(pk=Match.objects.latest("pk").pk).update(finished_at=first)
    with pytest.raises(CommandError, match="that the board has not seen"):
        ratings("rebuild", "--check", "--contest", GAME)
    ratings_refit(contest=GAME)
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)


def test_a_board_that_is_fitted_meanwhile_is_not_called_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "CHECK_SECONDS", -1.0)

    def fitted_meanwhile(*, contest: str, until: datetime) -> RatedResults:
        ratings_refit(contest=contest)
        return results_read(contest=contest, until=until)

    monkeypatch.setattr(services, "results_read", fitted_meanwhile)
    beat(*rivals())
    with pytest.raises(CommandError, match="that the board has not seen"):
        ratings("rebuild", "--check", "--contest", GAME)
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)


def test_matches_are_taken_out_only_when_told_so() -> None:
    command = ("void", "--contest", GAME, "--bot", "OTHER", "--reason", "It cheated.")
    assert "4 matches would be" in ratings(*command)
    assert not Match.objects.filter(state=Match.State.VOID).exists()
    assert "4 matches were voided" in ratings(*command, "--yes")
    reasons = Match.objects.filter(state=Match.State.VOID).values_list("void_reason", flat=True)
    assert list(reasons) == 4 * [stored(said("It cheated."))]
    assert Match.objects.count() == 10
    assert Rating.objects.get(version__bot__name="other").games == 0
    assert "to the last bit" in ratings("rebuild", "--check", "--contest", GAME)
    entry = AuditEntry.objects.get()
    assert (entry.act, entry.target, entry.reason) == ("matches_void", f"4 matches of {GAME}", "It cheated.")


def test_matches_are_chosen_by_rules_worker_and_time() -> None:
    first, second, third = Match.objects.order_by("pk")[:3]
    Match.objects.filter(pk=first.pk).update(rules_version="0")
    elsewhere = Match.objects.create(
        contest_id="puyo", game="puyo", rules_version="0", seed=1, encounter="e" * 32, state="finished"
    )
    attempt = Attempt.objects.create(match=second, number=1, lease_token=token_new(), worker="sick")
    Result.objects.create(match=second, attempt=attempt, turns=1, replay_digest="d" * 64)
    # Whose result it is counts, and not who has merely lost the match.
    Attempt.objects.create(match=third, number=1, lease_token=token_new(), worker="sick", ending="lost")
    Match.objects.exclude(pk=third.pk).update(finished_at=timezone.now() - timedelta(days=2))
    yesterday = (timezone.now() - timedelta(days=1)).isoformat()
    chosen = {first: ("--rules-version", "0"), second: ("--worker", "sick"), third: ("--since", yesterday)}
    for match, choice in chosen.items():
        assert "1 matches were" in ratings("void", "--contest", GAME, *choice, "--reason", "wrong", "--yes")
        match.refresh_from_db()
        assert match.state == Match.State.VOID
    elsewhere.refresh_from_db()
    assert elsewhere.state == Match.State.FINISHED, "of another game"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--bot", "waek"), "There is no bot of the name waek in this contest."),
        (("--worker", "sikc"), "There is no worker sikc. Known are: play@one."),
        (("--rules-version", "77"), "No match of this contest was played under version 77 of its rules."),
        (("--contest", "chess", "--bot", "weak"), "There is no such contest here"),
        (("--since", "yesterday"), "yesterday is no time: write it like 2026-12-01T18:00+09:00."),
        (("--since", "2026-02-31T12:00"), ""),
        (("--since", "0001-01-01T00:00+14:00"), ""),
        (("--bot", "weak", "--reason", " "), ""),
        ((), ""),
    ],
)
def test_a_slip_takes_nothing_out_and_is_no_good_news(arguments: tuple[str, ...], sentence: str) -> None:
    """The command said that no match would become void, and an administrator who had mistyped a name believed it."""
    make_worker("play@one")
    with pytest.raises(CommandError, match=re.escape(sentence) or "."):
        ratings("void", "--contest", GAME, "--reason", "It cheats.", "--yes", *arguments)
    assert not Match.objects.filter(state=Match.State.VOID).exists()
    assert "0 matches" in ratings("void", "--contest", GAME, "--worker", "play@one", "--reason", "It cheats.")


def test_a_new_season_begins_as_the_guide_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 1)
    Bot.objects.update(league=2, league_since=timezone.now())
    page = Path(settings.BASE_DIR, "docs", "run", "games.md").read_text()
    typed = re.search(r"manage.py (ratings void .*Season 2.*)`", page)
    assert typed
    arguments = shlex.split(typed[1].replace("--contest G", f"--contest {GAME}"))
    assert "10 matches were voided" in ratings(*arguments[1:])
    assert not any(games for _, _, games in shown().values())
    assert set(Bot.objects.values_list("league", flat=True)) == {0}, "nobody has risen by a match that counts"


def test_who_has_a_league_from_an_older_version_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ladder.services.standings.BOTS_MIN", 1)
    strong = Rating.objects.get(version__bot__name="strong").version
    Bot.objects.filter(pk=strong.bot_id).update(league=1, league_since=timezone.now())
    BotVersion.objects.filter(pk=strong.pk).update(state=BotVersion.State.RETIRED)
    make_house("boss", 1_000.0)
    make_version(strong.bot, parent=strong)
    ratings_refit(contest=GAME)
    assert Bot.objects.get(pk=strong.bot_id).league == 1
