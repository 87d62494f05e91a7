"""Making, changing and deleting contests: each refusal is a sentence by the field, and nothing is half made."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import Settings

from accounts.models import AuditEntry
from common.errors import FieldsError, InputError
from contests.models import Contest, Member
from contests.services import contests as services
from contests.services.contests import (
    contest_change,
    contest_create,
    contest_deadline_set,
    contest_delete,
    contest_limits_set,
    contest_transition,
)
from jobs.models import WorkingLanguage
from ladder.services.bots import bot_create
from matches.encounters import encounter_matches
from tests.ladder.makers import make_user

pytestmark = pytest.mark.django_db

NOW = timezone.now()
DAY = timedelta(days=1)


def make(**fields: Any) -> Contest:
    row: dict[str, Any] = {"slug": "spring", "title": "Spring", "game": "back_to_the_code", "actor": None}
    return contest_create(**row | fields)


def refused(**fields: Any) -> dict[str, str]:
    """Return the sentences with which a contest with these fields is refused; none may be made."""
    with pytest.raises(FieldsError) as error:
        make(**fields)
    assert not Contest.objects.filter(slug=fields.get("slug", "spring"), title="Spring").exists()
    return error.value.fields


def test_the_creator_organises_the_draft() -> None:
    user = make_user()
    made = make(
        actor=user,
        tables={2: 1, "4": 3, 3: 0},
        limits={"memory_mib": 512},
        bots_max=3,
        entries_until=NOW + DAY,
        frozen_at=NOW + 2 * DAY,
        mail_domain="@Example.org ",
    )
    made.refresh_from_db()
    assert (made.state, made.tables, made.mail_domain) == ("draft", {"2": 1.0, "4": 3.0}, "example.org")
    assert Member.objects.get().role == "organiser"
    assert AuditEntry.objects.values_list("actor_name", "act", "target").get() == (
        ("alice", "contest_create", "spring: back_to_the_code")
    )


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("slug", "", "short name"),
        ("slug", "Spring!", "small letters"),
        ("slug", "a" * 41, "40"),
        ("slug", "puyo", "uses this name itself"),
        ("slug", "new", "uses this name itself"),
        ("title", " ", "title"),
        ("title", "a\0", "NUL"),
        ("title", "x" * 101, "100"),
        ("game", "chess", "does not offer this game"),
        ("ruleset", "league 9", "does not know this ruleset"),
        ("options", {"wings": 2}, "Known are"),
        ("options", {"turns": "many"}, "do not fit"),
        ("tables", {"5": 1}, "2, 3, 4 bots here, not by 5"),
        ("tables", {"2": -1}, "share as a number"),
        ("tables", {"2": float("nan")}, "share as a number"),
        ("tables", {"2": True}, "share as a number"),
        ("tables", {"2": 0}, "At least one"),
        ("tables", [2], "share of each table size"),
        ("limits", {"memory_mib": 9_999_999}, "memory_mib"),
        ("limits", {"wings": 2}, "no limit wings"),
        ("limits", {"memory_mib": "512"}, "memory_mib"),
        ("limits", {"memory_mib": 512.5}, "memory_mib"),
        ("languages", ["cobol"], "does not have the language cobol"),
        ("bots_max", 0, "from 1 to"),
        ("bots_max", True, "from 1 to"),
        ("tables_each", 11, "from 1 to 10"),
        ("replays_kept", 10**9, "from 1 to"),
        ("visibility", "secret", "not a valid choice"),
        ("mail_domain", "example", "domain"),
        ("mail_domain", "a@b.org", "domain"),
        ("opens_at", NOW - DAY, "passed already"),
        ("entries_until", NOW - DAY, "passed already"),
        ("frozen_at", NOW - DAY, "passed already"),
        ("has_leagues", True, "House bots divide"),
    ],
)
def test_what_cannot_be_is_told_by_the_field(field: str, value: object, sentence: str) -> None:
    faults = refused(**{field: value})
    assert list(faults) == [field]
    assert sentence in faults[field]


def test_all_faults_are_told_at_once() -> None:
    dates = {"opens_at": NOW + 3 * DAY, "entries_until": NOW + 2 * DAY, "frozen_at": NOW + DAY}
    faults = refused(title="", tables={"7": 1}, bots_max=-1, **dates)
    assert set(faults) == {"title", "tables", "bots_max", "entries_until", "frozen_at"}
    assert refused(entries_until=NOW + 2 * DAY, frozen_at=NOW + DAY).keys() == {"frozen_at"}


def test_a_key_is_taken_once() -> None:
    make()
    with pytest.raises(FieldsError) as error:
        make(title="Other")
    assert list(error.value.fields) == ["slug"]


def test_options_are_stored_as_they_differ_from_the_ruleset() -> None:
    made = make(game="wondev_woman", ruleset="league0", options={}, slug="league0")
    assert (made.ruleset, made.options) == ("league0", {})


def test_rules_stay_once_a_match_was_made() -> None:
    make()
    WorkingLanguage.objects.create(
        name="python", title="Python", version="3", entries=["main.py"], suffixes=[".py"], position=0
    )
    contest_change(contest="spring", actor=None, tables={"2": 1, "3": 1}, languages=["python"], title="Spring 2")
    stale = Contest.objects.get(slug="spring")
    contest_change(contest="spring", actor=None, tables={"3": 1})
    list(encounter_matches(stale, (1, 2)))
    assert stale.tables == {"3": 1.0}  # it was read again, under a lock
    assert Contest.objects.get(slug="spring").has_matches
    with pytest.raises(FieldsError) as error:
        contest_change(contest="spring", actor=None, tables={"2": 1}, ruleset="x", title="Never")
    assert set(error.value.fields) == {"tables", "ruleset"}
    contest_change(contest="spring", actor=None, title="Spring 3", languages=[], tables={"3": 1})
    assert Contest.objects.get(slug="spring").title == "Spring 3"
    with pytest.raises(InputError, match="Matches have been played"):
        contest_delete(contest="spring", actor=None)


def test_dates_change_as_the_state_allows() -> None:
    make()
    contest_transition(contest="spring", to=Contest.State.OPEN, actor=None)
    contest_change(contest="spring", actor=None, entries_until=NOW - DAY)  # closes it at once
    with pytest.raises(FieldsError, match="opened already"):
        contest_change(contest="spring", actor=None, opens_at=NOW + DAY)
    contest_transition(contest="spring", to=Contest.State.FROZEN, actor=None)
    with pytest.raises(FieldsError, match="frozen already"):
        contest_change(contest="spring", actor=None, frozen_at=NOW + DAY)
    Contest.objects.filter(pk="spring").update(board_digest="b" * 64)  # as if its board were signed
    contest_transition(contest="spring", to=Contest.State.ARCHIVED, actor=None)
    with pytest.raises(InputError, match="archived contest stays"):
        contest_change(contest="spring", actor=None, title="Never")
    with pytest.raises(InputError, match="archived contest stays"):
        contest_deadline_set(contest="spring", until=None, actor=None)
    with pytest.raises(InputError, match="archived contest stays"):
        contest_limits_set(contest="spring", limits={"memory_mib": 300}, actor=None)


def test_an_open_contest_keeps_its_rules_and_stays_public() -> None:
    with pytest.raises(FieldsError) as error:
        contest_change(contest="back_to_the_code", actor=None, tables={"4": 1}, visibility="private")
    assert set(error.value.fields) == {"tables", "visibility"}
    contest_change(contest="back_to_the_code", actor=None, description="Welcome.", limits={"memory_mib": 300.0})
    assert repr(Contest.objects.get(pk="back_to_the_code").limits) == "{'memory_mib': 300}"
    with pytest.raises(InputError, match="open contest"):
        contest_delete(contest="back_to_the_code", actor=None)


def test_a_contest_without_bots_is_deleted() -> None:
    user = make_user()
    make(actor=user)
    bot = bot_create(owner=user, contest="spring", name="Moat")
    with pytest.raises(InputError, match="Bots have been uploaded"):
        contest_delete(contest="spring", actor=user)
    bot.delete()
    contest_delete(contest="spring", actor=user)
    assert not Contest.objects.filter(slug="spring").exists()
    assert AuditEntry.objects.filter(act="contest_delete", target="spring: back_to_the_code").exists()


def test_a_user_organises_so_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "CONTESTS_A_USER_MAX", 1)
    user = make_user()
    make(actor=user)
    with pytest.raises(InputError, match="as many as one user may"):
        make(actor=user, slug="summer")
    make(actor=make_user("chief", is_staff=True), slug="summer")


def test_users_give_their_bots_no_more_than_the_site_allows(settings: Settings) -> None:
    """The attack: a user makes a contest whose bots take the memory and the time of all others."""
    user, administrator = make_user("teacher"), make_user("root", is_staff=True)
    huge = {"memory_mib": 4_096, "pids_max": 512, "time_percent": 400}
    for name, value in huge.items():
        assert "Only administrators" in refused(limits={name: value}, actor=user)["limits"]
    contest = make(limits={"memory_mib": 1_024, "time_percent": 200}, actor=user)
    for change in (contest_change, contest_limits_set):
        with pytest.raises(InputError, match="Only administrators may give more than 1024 as memory_mib"):
            change(contest=contest.slug, limits=huge, actor=user)
        change(contest=contest.slug, limits=huge, actor=administrator)
        change(contest=contest.slug, limits={**huge, "file_mib": 32}, actor=user)  # what was given stays
        change(contest=contest.slug, limits={}, actor=user)
    settings.CONTEST_LIMITS_MAX = {"time_percent": 400}
    contest_limits_set(contest=contest.slug, limits={"time_percent": 400}, actor=user)
