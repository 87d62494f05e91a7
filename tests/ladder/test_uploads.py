"""Uploads: the bots and versions that they create, quotas, names and refusals."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from unittest.mock import Mock

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils import timezone
from pytest_django.fixtures import Settings

from accounts.models import User
from common.errors import InputError
from core.message import said, stored
from ladder.files.bundles import bundle_check
from ladder.models import Bot, BotVersion
from ladder.services.bots import bot_create
from ladder.services.uploads import version_create, version_retry
from ladder.services.versions import version_transition
from tests.ladder.makers import SOURCE, an_upload, make_bot, make_user, make_version, zip_of

pytestmark = pytest.mark.django_db

State = BotVersion.State


@pytest.fixture
def owner() -> User:
    return make_user()


def create(owner: User, name: str = "Moat", content: bytes = SOURCE, game: str = "kakomimasu") -> BotVersion:
    return version_create(owner=owner, contest=game, name=name, upload=an_upload(content))


def test_a_new_name_makes_a_bot_and_a_known_one_its_next_version(owner: User, enqueued: list[int]) -> None:
    version = create(owner)
    assert (version.bot.name, version.bot.owner, version.number, version.state) == ("Moat", owner, 1, State.UPLOADED)
    assert version.upload_name == "main.py"
    assert enqueued == [version.pk]
    second = create(owner, "MOAT", b"print('other')\n")
    assert (second.bot, second.number) == (version.bot, 2), "whatever its capitals"
    assert Bot.objects.get().name == "Moat"


def test_the_bundle_is_hashed_once_and_stored_under_its_digest(
    owner: User, enqueued: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    bundle, hashed = bundle_check(name="main.py", data=SOURCE), Mock(wraps=hashlib.sha256)
    monkeypatch.setattr(hashlib, "sha256", hashed)
    version = create(owner)
    assert [call.args[0] for call in hashed.call_args_list] == [SOURCE, bundle.data], "once as sent, once as a bundle"
    assert (version.bundle_digest, version.bundle_bytes) == (bundle.digest, len(bundle.data))
    assert version.sent_digest == hashlib.sha256(SOURCE).hexdigest()
    with storages["artifacts"].open(version.bundle_digest) as file:
        assert file.read() == bundle.data


@pytest.mark.parametrize("name", ["Moat", "MOAT", "M\u043eat", "x" * 40])
def test_a_first_version_that_is_rejected_frees_its_name(owner: User, enqueued: list[int], name: str) -> None:
    """In any case and for letters that look alike. Its owner keeps the bot under another name."""
    rejected = create(make_user("bob"), "Moat" if len(name) == 4 else name)
    version_transition(version=rejected, to=State.REJECTED)
    version = create(owner, name)
    assert (version.bot.name, version.bot.owner, version.number) == (name, owner, 1)
    old = Bot.objects.get(pk=rejected.bot_id)
    assert (old.name, old.owner.username) == (f"{rejected.bot.name[: 40 - len(f' {old.pk}')]} {old.pk}", "bob")
    assert create(old.owner, old.name, b"print('mended')\n").number == 2


def test_a_name_is_freed_even_if_the_numbered_name_is_taken(owner: User, enqueued: list[int]) -> None:
    bob = make_user("bob")
    kept = make_version(make_bot("Moat", bob), state=State.REJECTED).bot
    make_bot(f"Moat {kept.pk}", bob)
    assert create(owner).bot.name == "Moat"
    kept.refresh_from_db()
    assert kept.name.startswith("Moat ")
    assert kept.name != f"Moat {kept.pk}"


@pytest.mark.parametrize("states", [["retired"], ["retired", "rejected"]])
def test_nobody_keeps_a_name_by_withdrawing_before_the_check(
    owner: User, enqueued: list[int], states: list[str]
) -> None:
    bot = make_bot("Moat", make_user("bob"))
    for state in states:
        make_version(bot, state=state, activated_at=None)
    assert create(owner).bot.name == "Moat"


def test_nobody_keeps_a_house_bot_out_by_a_rejected_try(owner: User) -> None:
    tried = make_version(make_bot("greedy", make_user("bob")), state=State.REJECTED).bot
    assert bot_create(owner=owner, contest="kakomimasu", name="greedy", is_house=True).name == "greedy"
    tried.refresh_from_db()
    assert tried.name == f"greedy {tried.pk}"


@pytest.mark.parametrize("states", [[], ["uploaded"], ["rejected", "uploaded"], ["retired", "rejected"], ["failed"]])
def test_a_bot_that_may_yet_play_or_has_played_keeps_its_name(
    owner: User, enqueued: list[int], states: list[str]
) -> None:
    bot = make_bot("Moat", make_user("bob"))
    for state in states:
        make_version(bot, state=state)
    with pytest.raises(InputError, match="another name"):
        create(owner, "moat")
    assert Bot.objects.get().name == "Moat"
    assert enqueued == []


@pytest.mark.parametrize(
    "name",
    ["", " Moat", "<b>Moat</b>", "Mo\u202eat", "a\nb", "x" * 1_000, "\uff2d\uff4f\uff41\uff54", 'Mo"at', "Mo\x00at"],
)
def test_unreadable_names_are_refused_in_a_sentence(owner: User, enqueued: list[int], name: str) -> None:
    with pytest.raises(InputError) as caught:
        create(owner, name)
    assert str(caught.value).rstrip().endswith((".", ")."))
    assert not Bot.objects.exists()


def test_an_unknown_game_is_refused(owner: User, enqueued: list[int]) -> None:
    with pytest.raises(InputError, match="no such contest"):
        create(owner, game="chess")


def test_the_same_file_again_is_refused_but_restores_a_lost_upload(owner: User, enqueued: list[int]) -> None:
    version = create(owner)
    storages["artifacts"].delete(version.bundle_digest)
    with pytest.raises(InputError, match="This file has arrived as version 1"):
        create(owner)
    assert storages["artifacts"].exists(version.bundle_digest)
    version_transition(version=version, to=State.REJECTED)
    assert create(owner).number == 2


def test_a_file_over_the_limit_is_refused(owner: User, enqueued: list[int], settings: Settings) -> None:
    settings.UPLOAD_MAX_BYTES = 1024**2
    upload = Mock(spec=SimpleUploadedFile, size=1024**2 + 1, name="main.py")
    with pytest.raises(InputError, match="larger than 1 MiB"):
        version_create(owner=owner, contest="kakomimasu", name="Moat", upload=upload)
    upload.read.assert_not_called()


def test_versions_an_hour_are_limited(owner: User, enqueued: list[int], settings: Settings) -> None:
    settings.USER_VERSIONS_PER_HOUR = 2
    bot = make_bot(owner=owner)
    versions = [make_version(bot, state=State.RETIRED) for _ in range(2)]
    with pytest.raises(InputError, match="within an hour"):
        create(owner)
    BotVersion.objects.filter(pk=versions[0].pk).update(created_at=timezone.now() - timedelta(hours=2))
    assert create(owner).number == 3


def test_space_is_limited(owner: User, enqueued: list[int], settings: Settings) -> None:
    settings.USER_BYTES_MAX = 20_000
    make_version(make_bot("Other", owner), bundle_bytes=10_000)
    with pytest.raises(InputError, match="Your uploads fill"):
        create(owner)


def test_active_bots_are_limited_but_not_their_next_versions(
    owner: User, enqueued: list[int], settings: Settings
) -> None:
    settings.USER_ACTIVE_BOTS_MAX = 1
    active = make_version(make_bot("First", owner))
    with pytest.raises(InputError, match="withdraw one"):
        create(owner, "Second")
    assert create(owner, "First").number == 2
    version_transition(version=active, to=State.RETIRED)
    BotVersion.objects.filter(state=State.UPLOADED).update(state=State.REJECTED)
    assert create(owner, "Second").number == 1


def test_a_withdrawn_bot_counts_again_after_a_new_upload(owner: User, enqueued: list[int], settings: Settings) -> None:
    settings.USER_ACTIVE_BOTS_MAX = 1
    make_version(make_bot("First", owner), state=State.RETIRED)
    failed = make_version(make_bot("Second", owner), state=State.FAILED, artifact_digest="")
    active = make_version(make_bot("Third", owner))
    with pytest.raises(InputError, match="withdraw one"):
        create(owner, "First")
    with pytest.raises(InputError, match="withdraw one"):
        version_retry(version=failed)
    version_transition(version=active, to=State.RETIRED)
    assert version_retry(version=failed).state == State.UPLOADED
    assert BotVersion.objects.count() == 3


def test_house_bots_have_no_quota(owner: User, enqueued: list[int], settings: Settings) -> None:
    settings.USER_VERSIONS_PER_HOUR = 0
    bot = bot_create(owner=owner, contest="kakomimasu", name="greedy", is_house=True)
    assert bot.is_house
    assert create(owner, "greedy").number == 1


def test_a_version_we_failed_to_build_can_be_tried_again(enqueued: list[int]) -> None:
    failed = make_version(
        state=State.FAILED, artifact_digest="", attempt=3, reason=stored(said("Our platform failed."))
    )
    again = version_retry(version=failed)
    assert (again.state, again.attempt, again.reason) == (State.UPLOADED, 0, {})
    assert enqueued == [failed.pk]


@pytest.mark.parametrize("state", [State.REJECTED, State.ACTIVE, State.RETIRED, State.UPLOADED, State.BUILDING])
def test_no_other_version_can_be_tried_again(state: str, enqueued: list[int]) -> None:
    with pytest.raises(InputError, match="failed to build"):
        version_retry(version=make_version(state=state))
    assert enqueued == []


def test_the_name_of_the_file_is_kept_for_showing_only(owner: User, enqueued: list[int]) -> None:
    name = "my\x00\u202e " + "bot" * 50 + ".zip"
    upload = ContentFile(zip_of({"main.py": SOURCE}), name=f"C:/folder/{name}")
    version = version_create(owner=owner, contest="kakomimasu", name="Moat", upload=upload)
    assert version.upload_name.startswith(r"my\x00\u202e bot")
    assert len(version.upload_name) == 120


def test_a_program_plays_as_one_bot_of_its_owner(owner: User, enqueued: list[int]) -> None:
    first = create(owner, "First")
    with pytest.raises(
        InputError, match="Your bot First plays in this contest with the same program already"
    ) as refusal:
        create(owner, "Second")
    assert str(refusal.value).endswith("Please change the program, or withdraw First first.")
    assert [bot.name for bot in Bot.objects.all()] == ["First"], "nothing has been kept"
    assert create(owner, "Second", SOURCE + b"# changed\n").number == 1
    version_transition(version=first, to=State.RETIRED)
    assert create(owner, "Second").number == 2


def test_a_program_that_an_older_version_had_may_go_to_another_bot(owner: User, enqueued: list[int]) -> None:
    digest = bundle_check(name="main.py", data=SOURCE).digest
    first = make_bot("First", owner)
    for number, state in enumerate((State.RETIRED, State.REJECTED, State.FAILED), start=1):
        make_version(first, number=number, state=state, bundle_digest=digest)
    make_version(first, number=4)
    assert create(owner, "Second").number == 1


@pytest.mark.parametrize("state", [State.UPLOADED, State.BUILDING, State.ACTIVE, State.PROBATION])
def test_a_program_is_taken_in_its_own_game_by_its_own_owner_only(state: str, owner: User, enqueued: list[int]) -> None:
    taken = make_version(make_bot("First", owner), state=state, bundle_digest=create(owner, "Moat").bundle_digest)
    version_transition(version=BotVersion.objects.exclude(pk=taken.pk).get(), to=State.RETIRED)
    with pytest.raises(InputError, match="Your bot First plays"):
        create(owner, "Moat")
    assert create(owner, "Moat", game="puyo").number == 1
    assert create(make_user("bob"), "Bobs").number == 1


def test_a_house_bot_takes_no_program_from_anybody(owner: User, enqueued: list[int]) -> None:
    for name in ("greedy", "twin"):
        bot_create(owner=owner, contest="kakomimasu", name=name, is_house=True)
        assert create(owner, name).number == 1
    assert create(owner, "Mine").number == 1


def test_a_program_that_plays_as_another_bot_is_not_retried(owner: User, enqueued: list[int]) -> None:
    failed = create(owner, "First")
    BotVersion.objects.filter(pk=failed.pk).update(state=State.FAILED)
    create(owner, "Second")
    failed.refresh_from_db()
    with pytest.raises(InputError, match="Your bot Second plays"):
        version_retry(version=failed)


@pytest.mark.django_db(transaction=True)
def test_two_uploads_at_once_cannot_both_be_the_last_allowed(
    owner: User, enqueued: list[int], settings: Settings
) -> None:
    settings.USER_ACTIVE_BOTS_MAX = 1
    together = Barrier(2)

    def upload(name: str) -> bool:
        try:
            together.wait(timeout=20)
            create(owner, name)
        except InputError:
            return False
        else:
            return True
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(upload, ["First", "Second"])) == [False, True]
    assert BotVersion.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_message_is_sent_only_when_all_is_committed(owner: User, monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bool] = []

    def sent_now(*args: object, **options: object) -> None:
        sent.append(BotVersion.objects.exists())

    monkeypatch.setattr("jobs.sending.send", sent_now)
    create(owner)
    assert sent == [True]
