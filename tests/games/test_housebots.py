"""House bots are loaded from the source tree like uploads, and only if something has changed."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from django.contrib.auth import authenticate
from django.core.files.storage import storages
from django.core.management import call_command
from pytest_django import DjangoAssertNumQueries as AssertQueries
from pytest_django import DjangoCaptureOnCommitCallbacks
from pytest_django.fixtures import Settings

from accounts.models import User
from core.message import said, stored
from games.housebots import descriptions_of, housebots_for, housebots_of
from games.registry import FOLDER, game_named
from jobs.files.storage import ARTIFACTS
from ladder.models import Bot, BotVersion
from ladder.selectors.housebots import MissingHouseBot, housebots_missing
from ladder.services.housebots import housebots_complete, housebots_load, housebots_load_new
from ladder.services.languages import languages_announce
from tests.contests.makers import make_contest
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_version
from tests.own import OWN
from wire.worker_reports import LanguagesReport, WorkingLanguage

pytestmark = [pytest.mark.django_db, pytest.mark.test_all]


PYTHON = WorkingLanguage("python", "Python 3", "3.11.2", ["main.py"], [".py"])


State = BotVersion.State


NAMES = {"breaker", "greedy", "random", "ring", "rings"}


@pytest.fixture(autouse=True)
def one_game(settings: Settings) -> None:
    """Let the arena offer only Kakomimasu."""
    settings.GAMES = ["kakomimasu"]


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Return a copy of the house bots that a test may change, and load house bots from there."""
    folder = tmp_path / "games"
    shutil.copytree(FOLDER, folder, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr("games.housebots.folder_of", lambda game: folder / game)
    descriptions_of.cache_clear()
    yield folder
    descriptions_of.cache_clear()


def test_all_house_bots_are_loaded_once() -> None:
    assert {version.bot.name for version in housebots_load()} == NAMES
    assert {bot.name for bot in Bot.objects.filter(is_house=True)} == NAMES
    for version in BotVersion.objects.all():
        assert (version.number, version.state) == (1, State.UPLOADED)
        assert storages[ARTIFACTS].exists(version.bundle_digest)
    owner = User.objects.get(username="house")
    assert not owner.has_usable_password()
    assert authenticate(username="house", password="") is None
    before = list(BotVersion.objects.values())
    assert housebots_load() == []
    assert list(BotVersion.objects.values()) == before


def test_only_games_that_the_arena_offers_have_bots_and_one_name_is_a_bot_in_each(settings: Settings) -> None:
    settings.GAMES = ["kakomimasu", "puyo"]
    assert {version.bot.game for version in housebots_load()} == {"kakomimasu", "puyo"}
    randoms = BotVersion.objects.filter(bot__name="random").order_by("bot__game")
    assert list(randoms.values_list("bot__game", "number")) == [("kakomimasu", 1), ("puyo", 1)]


@pytest.mark.parametrize("game", OWN)
def test_the_bots_of_a_game_fill_a_table_in_several_languages_and_hold_a_scale_round_1500(game: str) -> None:
    bots = [bot.description for bot in housebots_for(game)]
    assert len(bots) >= game_named(game).players[0]
    assert any(bot.language != "python" for bot in bots)
    declared = {bot.name: bot.declared_rating for bot in bots if bot.declared_rating is not None}
    assert declared.keys() == {bot.name for bot in bots}
    assert sum(declared.values()) / len(declared) == pytest.approx(1500.0, abs=25)
    assert min(declared, key=declared.__getitem__) == "random"


def test_a_bot_in_another_language_waits_for_a_worker_that_has_it(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    housebots_load()
    assert not BotVersion.objects.filter(bot__name="scout").exists()
    cpp = WorkingLanguage("cpp", "C++", "12.2.0", ["main.cpp"], [".cpp"])
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            languages_announce(report=LanguagesReport("host", [cpp]))
        assert BotVersion.objects.get(bot__name="scout").state == State.UPLOADED


def test_a_new_language_brings_no_house_bots_to_an_arena_that_wants_none() -> None:
    make_bot("Moat")
    housebots_complete()
    assert not Bot.objects.filter(is_house=True).exists()


@pytest.mark.parametrize("game", OWN)
def test_the_table_of_ratings_agrees_with_each_bots_files(game: str) -> None:
    bots = FOLDER / game / "bots"
    found = re.search(r"^\| bot \| declared .*\n\|[-|]+\n((?:\|.*\n)+)", (bots / "README.md").read_text(), re.MULTILINE)
    assert found
    rows = [[cell.strip(" `") for cell in row.strip("|").split("|")] for row in found[1].splitlines()]
    assert {row[0] for row in rows} == {bot.description.name for bot in housebots_for(game)}
    for name, declared, measured, *_ in rows:
        assert f"declared_rating = {declared}\n" in (bots / name / "bot.toml").read_text()
        assert f"Declared rating {declared}, measured {measured}." in (bots / name / "README.md").read_text()


def test_every_house_bot_has_a_readme() -> None:
    folders = [path.parent for path in FOLDER.glob("*/bots/*/bot.toml")]
    assert folders
    for folder in folders:
        text = (folder / "README.md").read_text()
        assert text.startswith(f"# {folder.name}\n")
        for heading in ("**Idea.**", "**Source.**", "**Strength.**"):
            assert heading in text, f"{folder}: {heading}"


def test_bundles_missing_from_the_store_are_stored_again() -> None:
    lost = housebots_load()[0].bundle_digest
    storages[ARTIFACTS].delete(lost)
    assert housebots_load() == []
    assert storages[ARTIFACTS].exists(lost)


@pytest.mark.parametrize(
    ("folder", "file", "changed"), [("ring", "main.py", {"ring"}), ("starter", "kakomimasu.py", NAMES)]
)
def test_a_changed_bot_is_a_new_version(tree: Path, folder: str, file: str, changed: set[str]) -> None:
    housebots_load()
    with (tree / "kakomimasu" / "bots" / folder / file).open("a") as module:
        module.write("# better\n")
    assert {(version.bot.name, version.number) for version in housebots_load()} == {(name, 2) for name in changed}
    assert housebots_load() == []


def test_a_changed_description_is_no_new_version(tree: Path) -> None:
    housebots_load()
    path = tree / "kakomimasu" / "bots" / "ring" / "bot.toml"
    path.write_text(re.sub(r"declared_rating = .*", "declared_rating = 1650.5", path.read_text()))
    assert housebots_load() == []
    assert Bot.objects.get(name="ring").declared_rating == 1650.5


@pytest.mark.parametrize(("state", "built"), [(State.FAILED, ["ring"]), (State.REJECTED, [])])
def test_what_our_platform_failed_to_build_is_built_again_and_what_is_rejected_is_not(
    state: State, built: list[str]
) -> None:
    housebots_load()
    BotVersion.objects.filter(bot__name="ring").update(state=state)
    assert [version.bot.name for version in housebots_load()] == built


def test_a_rejected_bot_is_built_again_only_when_all_workers_have_a_library_more(
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """Once, two workers with different libraries led to a new version of each rejected house bot at each restart."""
    housebots_load()
    steps = [
        ("play@old", "", True),  # the first that tells of Python at all
        ("play@new", "numpy 2.2.4", False),
        ("play@old", "numpy 1.24.2", True),
        ("play@new", "numpy 2.2.4", False),
        ("play@old", "numpy 1.26.4", False),
    ]
    for worker in ("play@old", "play@new"):
        make_worker(worker, languages=["python"])
    for worker, libraries, is_built in steps:
        BotVersion.objects.filter(bot__name="ring").update(state=State.REJECTED)
        before = BotVersion.objects.filter(bot__name="ring").count()
        version = libraries or "3.11.2"  # of Python, which differs, too
        python = msgspec.structs.replace(PYTHON, libraries=libraries, version=version.removeprefix("numpy "))
        with django_capture_on_commit_callbacks(execute=True):
            languages_announce(report=LanguagesReport(worker, [python]))
        assert BotVersion.objects.filter(bot__name="ring").count() == before + is_built, (worker, libraries)


def test_every_game_has_a_table_before_any_has_its_last_bot(settings: Settings) -> None:
    settings.GAMES = OWN
    loaded = [version.bot for version in housebots_load()]
    assert {(bot.game, bot.name) for bot in loaded[: len(OWN)]} == {(game, "random") for game in OWN}
    seats = {game: game_named(game).players[0] for game in OWN}
    assert Counter(bot.game for bot in loaded[: sum(seats.values())]) == seats


def test_a_contest_has_the_house_bots_that_can_play_it(settings: Settings) -> None:
    settings.GAMES = ["kakomimasu", "puyo"]
    smash = {"game": "puyo", "ruleset": "smash_the_code_contest", "has_house_bots": True}
    make_contest("smash", **smash)
    make_contest("mixed", tables={"2": 0.5, "4": 0.5}, options={"turns": 40}, has_house_bots=True)
    make_contest("none", game="puyo")
    make_contest("draft", **smash | {"state": "draft"})
    loaded = {(version.bot.contest_id, version.bot.name) for version in housebots_load()}
    assert {name for slug, name in loaded if slug == "smash"} == {"scatter", "smasher"}
    assert {name for slug, name in loaded if slug == "mixed"} == NAMES
    assert {slug for slug, _ in loaded} == {"kakomimasu", "puyo", "smash", "mixed"}
    ratings = {bot.declared_rating for bot in Bot.objects.filter(contest="mixed")}
    assert ratings == {None}, "none is measured where table sizes are mixed"
    assert Bot.objects.get(contest="kakomimasu", name="ring").declared_rating == 1250
    assert housebots_load() == []


def test_house_bots_come_soon_after_a_contest_was_opened(django_assert_num_queries: AssertQueries) -> None:
    make_contest("plain")
    with django_assert_num_queries(1):
        assert housebots_load_new() == []
    contest = make_contest("spring", has_house_bots=True, ruleset="2020")
    assert {version.bot.name for version in housebots_load_new()} == NAMES
    assert {bot.contest_id for bot in Bot.objects.all()} == {contest.slug}, "the open contest may want none"
    with django_assert_num_queries(1):
        assert housebots_load_new() == []


def test_missing_house_bots_are_logged_with_the_reason(caplog: pytest.LogCaptureFixture) -> None:
    assert housebots_missing() == []
    housebots_load()
    assert housebots_missing() == [], "no worker has reported its languages"
    languages_announce(report=LanguagesReport("host", [PYTHON]))
    assert housebots_missing() == [MissingHouseBot("kakomimasu", "scout", "cpp")]
    written = 'File "main.py", line 1\nModuleNotFoundError: numpy\n'
    log = f"Turn 1: crashed.\n\n--- Standard error ---\n{written}\n\n--- Last answer ---\n(nothing)"
    ring = BotVersion.objects.filter(bot__name="ring")
    ring.update(state=State.REJECTED, reason=stored(said("It ended.")), log=log)
    found = MissingHouseBot("kakomimasu", "ring", sentence="It ended.", error="ModuleNotFoundError: numpy")
    assert found in housebots_missing()
    languages_announce(report=LanguagesReport("host", [PYTHON]))
    logged = {record.msg["bot"]: record.msg for record in caplog.records if "bot" in record.msg}
    assert logged["scout"]["lacks"] == "cpp"
    assert logged["ring"]["reason"] == "It ended. ModuleNotFoundError: numpy"
    ring.update(log="main.cpp:1: error: expected ;\n")
    assert [bot.error for bot in housebots_missing()] == ["main.cpp:1: error: expected ;", ""]


def test_a_bot_with_an_active_older_version_is_not_missing() -> None:
    housebots_load()
    languages_announce(report=LanguagesReport("host", [PYTHON]))
    ring = BotVersion.objects.get(bot__name="ring")
    make_version(ring.bot, number=2, state=State.REJECTED)
    assert "ring" in {bot.name for bot in housebots_missing()}
    BotVersion.objects.filter(pk=ring.pk).update(state=State.PROBATION, artifact_digest="0" * 64)
    assert "ring" not in {bot.name for bot in housebots_missing()}


@pytest.mark.parametrize("taken", ["RING", "r\u0456ng"], ids=["capitals", "Cyrillic"])
def test_a_name_that_is_taken_stops_no_other_bot_and_is_told(caplog: pytest.LogCaptureFixture, taken: str) -> None:
    """Otherwise the user who took it would keep the arena from starting again: it begins with the load."""
    make_bot(taken)
    assert {version.bot.name for version in housebots_load()} == NAMES - {"ring"}
    assert [record.msg["bot"] for record in caplog.records if record.levelname == "ERROR"] == ["ring"]
    caplog.clear()
    languages_announce(report=LanguagesReport("host", [PYTHON]))
    assert MissingHouseBot("kakomimasu", "ring", is_name_taken=True) in housebots_missing()
    (told,) = [record.msg for record in caplog.records if record.msg.get("bot") == "ring"]
    assert (told["event"], told["reason"]) == ("housebot_left_out", "its name is taken")


def test_the_command_prints_the_bots_that_it_builds(capsys: pytest.CaptureFixture[str]) -> None:
    call_command("housebots_load")
    assert "House bot ring v1 is being built." in capsys.readouterr().out.splitlines()
    call_command("housebots_load")
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("line", ["name = ", 'colour = "red"', "declared_rating = 'many'"])
def test_a_wrong_description_is_named(tree: Path, line: str) -> None:
    path = tree / "kakomimasu" / "bots" / "ring" / "bot.toml"
    path.write_text(re.sub(r"declared_rating = .*", line, path.read_text()))
    with pytest.raises(ValueError, match=r"ring/bot\.toml"):
        housebots_of("kakomimasu")


def test_a_bundle_holds_files_of_its_language_alone(tree: Path) -> None:
    cache = tree / "kakomimasu" / "bots" / "ring" / "__pycache__"
    cache.mkdir()
    (cache / "main.cpython-311.pyc").write_bytes(b"compiled")
    files = {bot.description.name: set(bot.files) for bot in housebots_of("kakomimasu")}
    assert files["ring"] == {"kakomimasu.py", "main.py"}
    assert files["scout"] == {"main.cpp"}
