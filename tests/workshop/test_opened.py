"""What the workshop opens: which language, whose files, and the bots to try against."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from common.errors import InputError
from common.queries.cached import cached_clear
from contests.models import Contest
from games.kits import MARK, kit_files
from jobs.models import WorkingLanguage
from ladder.models import BotVersion
from ladder.services.uploads import version_create
from tests.contests.makers import make_contest
from tests.ladder import makers
from tests.matches.makers import make_version
from workshop.selectors.opened import Opened, bot_names, files_opened, languages_offered, opponents_in_workshop
from workshop.services.drafts import draft_save

pytestmark = pytest.mark.django_db
GUEST = AnonymousUser()
ENTRIES = {"python": "main.py", "cpp": "main.cpp", "go": "main.go"}


@pytest.fixture
def contest() -> Contest:
    """The open contest of Kakomimasu, in an arena with three languages."""
    for position, (name, entry) in enumerate(ENTRIES.items()):
        row = {"title": name.title(), "version": "1", "suffixes": [], "position": position}
        WorkingLanguage.objects.create(name=name, entries=[entry, f"bot{entry[4:]}"], **row)
    cached_clear()
    return Contest.objects.get(pk="kakomimasu")


def opened(contest: Contest, reader: User | AnonymousUser = GUEST, language: str = "", version: int = 0) -> Opened:
    return files_opened(contest=contest, reader=reader, language=language, version=version)


def uploaded(owner: User, files: Mapping[str, bytes | str], contest: str = "kakomimasu") -> BotVersion:
    """Upload a zip as a version of a bot of Python, as an owner does."""
    upload = makers.an_upload(makers.zip_of(files), "bot.zip")
    return version_create(owner=owner, contest=contest, name="Moat", upload=upload, language="python")


def saved(owner: User, contest: Contest, language: str, text: str = "text") -> int:
    files = {ENTRIES[language]: text}
    return draft_save(owner=owner, contest=contest, language=language, files=files, page="the page of the test")


def test_an_arena_without_workers_offers_python_alone() -> None:
    contest = Contest.objects.get(pk="kakomimasu")
    assert [(each.name, each.entry) for each in languages_offered(contest=contest)] == [("python", "main.py")]
    assert opened(contest).language == "python"


@pytest.mark.parametrize(
    ("allowed", "offered"),
    [([], ["python", "cpp", "go"]), (["go", "cpp"], ["cpp", "go"]), (["go", "rust"], ["go"]), (["rust"], ["python"])],
)
def test_a_contest_offers_what_it_allows_and_workers_have(
    contest: Contest, allowed: list[str], offered: list[str]
) -> None:
    contest.languages = allowed
    languages = languages_offered(contest=contest)
    assert [language.name for language in languages] == offered
    assert [language.entry for language in languages] == [ENTRIES[name] for name in offered]
    assert opened(contest, language="cobol").language == ("python" if "python" in offered else offered[0])


@pytest.mark.parametrize(
    ("language", "expected"), [("", "go"), ("cpp", "cpp"), ("python", "python"), ("cobol", "go"), ("x" * 500, "go")]
)
def test_the_wanted_language_goes_before_that_of_the_newest_draft(
    contest: Contest, alice: User, language: str, expected: str
) -> None:
    for drafted in ("cpp", "go"):
        saved(alice, contest, drafted)
    assert opened(contest, alice, language).language == expected
    assert opened(contest, makers.make_user("bob"), language).language == (
        language if language in ENTRIES else "python"
    )


def test_the_draft_that_was_saved_last_is_opened(contest: Contest, alice: User) -> None:
    for language in ("cpp", "go", "cpp"):
        saved(alice, contest, language, f"saved after {language}")
        saved(alice, contest, language, "again")
    found = opened(contest, alice)
    assert (found.language, found.files, found.is_kit, found.revision) == ("cpp", {"main.cpp": "again"}, False, 4)
    assert opened(contest).is_kit, "a guest has no draft"


def test_a_draft_belongs_to_one_contest(contest: Contest, alice: User) -> None:
    spring = make_contest(visibility="public")
    saved(alice, spring, "go")
    assert opened(contest, alice).language == "python"
    assert opened(spring, alice).language == "go"


def test_the_kit_lacks_what_is_for_a_folder_at_home(contest: Contest) -> None:
    found = opened(contest)
    home = kit_files(contest.game, "python")
    assert {"README.md", MARK} <= home.keys()
    assert (
        found.files
        == found.kit
        == {path: text.decode() for path, text in home.items() if path not in ("README.md", MARK)}
    )
    assert next(iter(found.files)) == "main.py", "a beginner looks for the entry point"
    assert list(found.files)[1:] == sorted(list(found.files)[1:])
    assert (found.is_kit, found.revision, found.version, found.left_out) == (True, 0, None, ())


def test_a_language_without_a_kit_begins_with_an_empty_entry_point(contest: Contest) -> None:
    row = {"title": "Cobol", "version": "1", "suffixes": [], "position": 9}
    WorkingLanguage.objects.create(name="cobol", entries=["main.cob"], **row)
    cached_clear()
    assert opened(contest, language="cobol").files == {"main.cob": ""}


def test_an_own_version_is_opened_in_its_language_beside_the_draft(contest: Contest, alice: User) -> None:
    version = uploaded(alice, {"z.py": "z = 1\n", "main.py": "import z\n", "data/a.txt": "a"})
    revision = saved(alice, contest, "python", "the draft")
    found = opened(contest, alice, "go", version.pk)
    assert (found.language, found.version, found.is_kit) == ("python", version, False)
    assert list(found.files) == ["main.py", "data/a.txt", "z.py"]
    assert found.revision == revision, "the draft may be overwritten with it"
    assert "main.py" in found.kit


@pytest.mark.parametrize("content", [b"\xff\xfe", b"text\0text", b"a\0"])
def test_what_is_no_text_is_left_out_and_named(contest: Contest, alice: User, content: bytes) -> None:
    version = uploaded(alice, {"main.py": "pass\n", "book.bin": content, "empty.txt": ""})
    found = opened(contest, alice, version=version.pk)
    assert (list(found.files), found.left_out) == (["main.py", "empty.txt"], ("book.bin",))


def test_a_version_of_another_contest_or_owner_is_not_opened(contest: Contest, alice: User) -> None:
    spring = make_contest(visibility="public")
    elsewhere = uploaded(alice, {"main.py": "elsewhere\n"}, spring.pk)
    version = uploaded(alice, {"main.py": "here\n"})
    for reader, pk in (
        (alice, elsewhere.pk),
        (makers.make_user("bob"), version.pk),
        (GUEST, version.pk),
        (alice, 10**6),
    ):
        assert opened(contest, reader, version=pk).is_kit
    assert opened(spring, alice, version=elsewhere.pk).files == {"main.py": "elsewhere\n"}


def test_a_version_that_the_store_has_lost_is_said_to_be_gone(contest: Contest, alice: User) -> None:
    version = uploaded(alice, {"main.py": "pass\n"})
    BotVersion.objects.update(bundle_digest="0" * 64)
    with pytest.raises(InputError, match="is not stored here any more"):
        opened(contest, alice, version=version.pk)


def test_opening_costs_few_queries(contest: Contest, alice: User, django_assert_max_num_queries: object) -> None:
    saved(alice, contest, "go")
    files = uploaded(alice, {"main.py": "pass\n"})
    opened(contest, alice)  # the languages are cached
    for version in (0, files.pk):
        with django_assert_max_num_queries(3):  # type: ignore[operator]
            opened(contest, alice, version=version)


def test_own_bots_stand_apart_from_the_others(contest: Contest, alice: User) -> None:
    rival = make_version("Rival")
    mine = [makers.make_version(makers.make_bot(name, alice)) for name in ("Moat", "Keep")]
    makers.make_version(makers.make_bot("Retired", alice), state=BotVersion.State.RETIRED)
    spring = make_contest()
    makers.make_version(makers.Bot.objects.create(owner=alice, contest=spring, game=spring.game, name="Elsewhere"))
    others, own = opponents_in_workshop(contest=contest, reader=alice, bot=0)
    assert [each.version for each in others] == [rival]
    assert own == sorted(mine, key=lambda version: version.bot.name)
    others, own = opponents_in_workshop(contest=contest, reader=GUEST, bot=0)
    assert ({each.version for each in others}, own) == ({rival, *mine}, [])


def test_a_bot_that_is_asked_for_is_offered_among_many(contest: Contest) -> None:
    versions = [make_version(f"Rival {number}", owner="bob") for number in range(30)]
    for place, version in enumerate(versions):
        makers.make_rating(version, 2_000.0 - place)
    makers.make_standings()
    offered = {each.version for each in opponents_in_workshop(contest=contest, reader=GUEST, bot=0)[0]}
    left_out = next(version for version in versions if version not in offered)
    with_it = opponents_in_workshop(contest=contest, reader=GUEST, bot=left_out.bot_id)[0]
    assert {each.version for each in with_it} == offered | {left_out}
    assert [each.version.rating.rating for each in with_it] == sorted(
        (each.version.rating.rating for each in with_it), reverse=True
    )


def test_names_of_own_bots_are_suggested_the_newest_first(contest: Contest, alice: User) -> None:
    for name in ("Moat", "Keep"):
        makers.make_bot(name, alice)
    makers.make_bot("Bailey", makers.make_user("bob"))
    assert bot_names(contest=contest, reader=alice) == ["Keep", "Moat"]
    assert bot_names(contest=contest, reader=GUEST) == []
    assert bot_names(contest=make_contest(), reader=alice) == []
