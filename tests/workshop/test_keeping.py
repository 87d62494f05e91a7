"""What of the workshop is deleted, when, and what stays since others have it too; and what its export tells."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.files.storage import storages
from django.utils import timezone

from accounts.exports import export_sections
from accounts.models import User
from contests.models import Contest
from jobs.files.storage import ARTIFACTS, REPLAYS
from ladder.models import BotVersion
from tests.ladder.makers import make_user
from tests.matches.makers import make_version
from tests.workshop.makers import FILES, make_try, reached, report_of
from workshop.models import Draft, Try
from workshop.services import keeping
from workshop.services.drafts import draft_save, files_bundle
from workshop.services.keeping import KEPT_DAYS, programs_delete, tries_forget
from workshop.services.tries import TRIES

pytestmark = pytest.mark.django_db(transaction=True)
OLD = timedelta(days=KEPT_DAYS, seconds=1)


def ended(owner: User, **fields: object) -> Try:
    tried = make_try(owner, **fields)
    TRIES.record(report=report_of(tried))
    tried.refresh_from_db()
    return tried


def aged(*tries: Try) -> None:
    """Let tries have begun so long ago that they are forgotten."""
    Try.objects.filter(pk__in=[tried.pk for tried in tries]).update(created_at=timezone.now() - OLD)


def is_stored(tried: Try) -> list[bool]:
    """Return whether program, replay and log of a try are stored."""
    files = ((ARTIFACTS, tried.bundle_digest), (REPLAYS, tried.replay_digest), (REPLAYS, tried.log_digest))
    return [storages[store].exists(digest) for store, digest in files]


def test_a_try_is_kept_for_two_days_and_longer_while_it_is_open(alice: User) -> None:
    played, running = ended(alice), make_try(make_user("bob"))
    reached(running, "check")
    young = timezone.now() - timedelta(days=KEPT_DAYS) + timedelta(minutes=5)
    Try.objects.filter(pk=played.pk).update(created_at=young)
    aged(running)
    assert tries_forget() == 0
    assert is_stored(played) == [True] * 3
    TRIES.record(report=report_of(running))
    assert tries_forget() == 1
    assert Try.objects.get() == played


def test_a_program_stays_while_a_version_or_another_try_has_it(alice: User) -> None:
    files = {"main.py": "print('shared')\n"}
    old, young = ended(alice, files=files), ended(make_user("bob"), files=files)
    aged(old)
    assert tries_forget() == 1
    assert is_stored(young) == [True] * 3
    make_version("Moat", bundle_digest=young.bundle_digest)
    aged(young)
    assert tries_forget() == 1
    assert is_stored(young) == [True, False, False], "a version has the program, nobody the replay"
    BotVersion.objects.all().delete()


def test_only_so_many_go_at_once_the_oldest_first(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "_BATCH", 2)
    tries = [ended(alice) for _ in range(3)]
    for days, tried in enumerate(tries):
        Try.objects.filter(pk=tried.pk).update(created_at=timezone.now() - OLD - timedelta(days=days))
    assert (tries_forget(), list(Try.objects.all())) == (2, tries[:1])
    assert (tries_forget(), tries_forget()) == (1, 0)


def test_a_closed_account_takes_its_programs_and_nobody_elses(alice: User) -> None:
    bob = make_user("bob")
    contest = Contest.objects.get(pk="kakomimasu")
    for owner in (alice, bob):
        draft_save(owner=owner, contest=contest, language="python", files=FILES)
    mine, open_one = ended(alice, files={"main.py": "mine"}), make_try(alice, files={"main.py": "open"})
    others = ended(bob, files={"main.py": "others"})
    programs_delete(user=alice)
    assert [draft.owner for draft in Draft.objects.all()] == [bob]
    assert list(Try.objects.all()) == [others]
    assert not storages[ARTIFACTS].exists(mine.bundle_digest)
    assert not storages[ARTIFACTS].exists(open_one.bundle_digest)
    assert is_stored(others) == [True] * 3


def test_the_export_has_own_drafts_and_tries_without_what_is_secret(alice: User) -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    for owner in (alice, make_user("bob")):
        draft_save(owner=owner, contest=contest, language="python", files={"main.py": owner.username})
        make_try(owner, files={"main.py": owner.username})
    sections = {section.name: section for section in export_sections()}
    exported = {}
    for name in ("drafts", "tries"):
        assert sections[name].rows is not None
        exported[name] = list(sections[name].rows(alice))
        assert sections[name].deleted
    (draft,), (tried,) = exported["drafts"], exported["tries"]
    assert (draft["files"], draft["contest_id"]) == ({"main.py": "alice"}, "kakomimasu")
    assert tried["bundle_digest"] == files_bundle(files={"main.py": "alice"}).digest
    assert not {"lease_token", "seed"} & tried.keys()
    assert Try.objects.get(owner=alice).lease_token not in json.dumps(tried, default=str)
