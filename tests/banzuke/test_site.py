"""Sign in, upload and status, against the real API under the real web server."""

from __future__ import annotations

import io
import json
import stat
import subprocess
from collections.abc import Callable
from functools import partial
from http.server import HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from accounts.models import User
from banzuke import agents, site
from banzuke.api_types import NewToken
from banzuke.commands import challenge
from banzuke.commands.upload import LOG_LINE_CHARS, LOG_SECTION_LINES, shortened
from banzuke.site import Away, Site, retry_while_away, site_at, site_remember, site_remembered
from banzuke.text import UserError
from core.message import said, stored
from core.replay import decode
from games.kits import kit_files, zipped
from ladder.models import BotVersion
from ladder.services.versions import version_transition
from matches.models import Match
from matches.services.lifecycle import match_void
from tests.banzuke.conftest import Refusal, Run
from tests.contests.makers import make_contest
from tests.ladder.makers import make_bot, make_rating, make_standings, make_version
from tests.matches.makers import finish_match, finish_random_match, make_match, make_records
from tests.matches.makers import make_version as make_rival
from tests.serving import QuietHandler, serving
from tests.two_factor import code_now, code_wrong, two_factor_on
from workshop.models import Try

pytestmark = pytest.mark.django_db(transaction=True)

GAME = "kakomimasu"
Type = Callable[[str], None]


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config" / "banzuke" / "site.json"


@pytest.fixture
def type_line(monkeypatch: pytest.MonkeyPatch) -> Type:
    """Return a function that puts a line on standard input."""
    return lambda line: monkeypatch.setattr("sys.stdin", io.StringIO(f"{line}\n"))


@pytest.fixture
def author() -> User:
    return User.objects.create_user("hana", password="secret-of-hana")


@pytest.fixture
def signed_in(site_url: str, author: User, banzuke: Run, type_line: Type) -> str:
    type_line("secret-of-hana")
    assert banzuke("login", site_url, "--name", "hana") == 0
    return site_url


@pytest.fixture
def bot(tmp_path: Path, banzuke: Run) -> Path:
    assert banzuke("new", GAME, "python", tmp_path / "mine") == 0
    return tmp_path / "mine"


def test_login_stores_a_private_token_and_no_password(
    site_url: str, author: User, banzuke: Run, type_line: Type, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    type_line("secret-of-hana")
    assert banzuke("login", site_url, "--name", author.username) == 0
    assert f"You are hana at {site_url}." in capsys.readouterr().out
    assert stat.S_IMODE(home.stat().st_mode) == 0o600
    assert b"secret-of-hana" not in home.read_bytes()
    assert site_remembered().url == site_url


@pytest.mark.parametrize(
    ("typed", "option", "sentence"),
    [("wrong", ("--name", "hana"), "do not belong together"), ("f00d", ("--token",), "does not know you")],
)
def test_a_wrong_password_or_token_is_not_stored(
    typed: str,
    option: tuple[str, ...],
    sentence: str,
    site_url: str,
    author: User,
    refusal: Refusal,
    type_line: Type,
    home: Path,
) -> None:
    type_line(typed)
    assert sentence in refusal("login", site_url, *option)
    assert not home.exists()


def test_login_asks_for_the_code_of_two_factor_authentication(
    site_url: str,
    author: User,
    banzuke: Run,
    monkeypatch: pytest.MonkeyPatch,
    home: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    two_factor_on(author)
    for code, status, reported in ((code_wrong(author), 2, "Incorrect code."), (code_now(author), 0, "You are hana")):
        monkeypatch.setattr("sys.stdin", io.StringIO(f"secret-of-hana\n{code}\n"))
        assert banzuke("login", site_url, "--name", "hana") == status
        assert reported in "".join(capsys.readouterr())
        assert home.exists() == (status == 0)


def test_no_password_is_sent_unencrypted(refusal: Refusal) -> None:
    assert "is not encrypted" in refusal("login", "http://arena.example")


@pytest.mark.parametrize("url", ["ftp://arena.example", "https://", "http://[::1"])
def test_an_invalid_url_is_refused(url: str) -> None:
    with pytest.raises(UserError, match="is no URL of an arena"):
        site_at(url)


@pytest.mark.parametrize(
    ("stdin", "sentence"),
    [
        (io.StringIO(), "Nobody answers here: give the name of your account by --name."),
        (None, "Standard input is closed, but passwords and tokens are read from there."),
    ],
    ids=["at its end", "closed"],
)
def test_login_without_input_names_the_option(
    stdin: io.StringIO | None, sentence: str, refusal: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", stdin)
    assert refusal("login", "http://127.0.0.1:1") == f"{sentence}\n"


def test_ctrl_d_at_the_password_is_a_sentence(refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-D at a terminal."""

    def end(_prompt: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin", SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("getpass.getpass", end)
    assert refusal("login", "http://127.0.0.1:1", "--name", "hana") == "Nothing was typed, so nobody is signed in.\n"


def test_an_unwritable_token_file_is_a_sentence(home: Path) -> None:
    home.parent.parent.write_text("a file where the folder should be")
    with pytest.raises(UserError, match=r"The token cannot be kept in .*: Not a directory\."):
        site_remember(Site("https://arena.example", "secret"))


@pytest.mark.parametrize(
    ("typed", "url"),
    [
        ("arena.example/anything", "https://arena.example"),
        ("localhost:8000", "http://localhost:8000"),
        ("[::1]:8000/", "http://[::1]:8000"),
    ],
)
def test_https_is_the_default_scheme_but_for_local_hosts(typed: str, url: str) -> None:
    assert site_at(typed).url == url


def test_an_unreachable_arena_is_a_sentence(banzuke: Run, type_line: Type, capsys: pytest.CaptureFixture[str]) -> None:
    type_line("x")
    assert banzuke("login", "http://127.0.0.1:1", "--name", "hana") == 2
    assert capsys.readouterr().err.startswith("http://127.0.0.1:1 cannot be reached: Connection refused. ")


def test_waiting_commands_survive_a_restart_of_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [(503, b"<h1>Service Unavailable</h1>"), (429, b'{"detail": "Too often."}'), (200, b'{"token": "x"}')]

    class Shaky(QuietHandler):
        def respond(self) -> None:
            status, body = answers.pop(0)
            self.answer(body, status=status)

    monkeypatch.setattr(site, "AWAY_RETRY_SECONDS", 0.0)
    with serving(HTTPServer(("127.0.0.1", 0), Shaky)) as url:
        look = partial(Site(url).get, "account/", NewToken)
        assert retry_while_away(look).token == "x"
        answers[:] = [(422, b'{"detail": "No."}'), (401, b"")]
        for sentence in ("No.", "does not know you"):
            with pytest.raises(UserError, match=sentence):
                retry_while_away(look)
    monkeypatch.setattr(site, "AWAY_SECONDS_MAX", 0.0)
    with pytest.raises(Away, match="cannot be reached"):
        retry_while_away(look)


@pytest.mark.parametrize("command", [["status"], ["upload", ".", "--game", GAME]])
def test_without_a_login_the_sentence_names_the_command(command: list[str], refusal: Refusal) -> None:
    assert "banzuke login URL" in refusal(*command)


@pytest.mark.usefixtures("signed_in", "broker_url")
def test_upload_makes_a_bot_then_a_version(
    bot: Path, banzuke: Run, refusal: Refusal, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in (1, 2):
        assert banzuke("upload", bot, "--game", GAME, "--name", "Mine", "--no-wait") == 0
        (bot / "main.py").write_text((bot / "main.py").read_text() + "# better\n")
        version = BotVersion.objects.get(number=number)
        assert f"Mine, version {number}: " in capsys.readouterr().out
    assert (version.bot.name, version.upload_name) == ("Mine", "mine.zip")
    assert banzuke("status") == 0
    assert "Mine  kakomimasu        2  received" in capsys.readouterr().out
    assert "hana has no such bot" in refusal("status", "Yours")


@pytest.mark.usefixtures("signed_in", "broker_url")
def test_a_contest_is_named_by_its_key(
    bot: Path, banzuke: Run, refusal: Refusal, capsys: pytest.CaptureFixture[str]
) -> None:
    cup, hidden = make_contest("cup", visibility="unlisted"), make_contest("secret", visibility="private")
    assert banzuke("upload", bot, "--contest", "cup", "--name", "Mine", "--no-wait") == 0
    assert BotVersion.objects.get().bot.contest == cup
    assert banzuke("upload", bot, "--game", GAME, "--name", "Mine", "--no-wait") == 0
    capsys.readouterr()
    assert banzuke("status", "Mine", "--contest", "cup") == 0
    assert "Mine      cup        1  received" in capsys.readouterr().out
    for key in (hidden.slug, "nothing"):
        refused = refusal("upload", bot, "--contest", key)
        assert f"There is no contest {key} at " in refused
        assert "or you are not in it." in refused
    assert "Which Mine? Tell the contest by --contest: " in refusal("challenge", "Mine", "Moat")


@pytest.mark.usefixtures("signed_in", "broker_url")
def test_archives_are_sent_as_they_are(tmp_path: Path, banzuke: Run, refusal: Refusal) -> None:
    """The site takes zips and tars, and offers kits as zips."""
    (tmp_path / "kit.zip").write_bytes(zipped(kit_files(GAME, "rust")))
    (tmp_path / "main.py").write_text("print()\n")
    subprocess.run(["tar", "-czf", "mine.tar.gz", "main.py"], cwd=tmp_path, check=True)
    for file in ("kit.zip", "mine.tar.gz"):
        assert banzuke("upload", tmp_path / file, "--game", GAME, "--no-wait") == 0
        assert BotVersion.objects.get(upload_name=file).bot.name == file.partition(".")[0]
    (tmp_path / "mine.rar").write_bytes(b"")
    assert "is no folder, source file, zip or tar." in refusal("upload", tmp_path / "mine.rar", "--game", GAME)


@pytest.mark.usefixtures("signed_in", "broker_url")
def test_upload_follows_a_version_to_its_end(
    bot: Path, banzuke: Run, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    question = "\n".join(f"MOVE {number}" for number in range(100))
    log = f"Turn 1\n\n--- Standard error ---\n{'x' * 9_000}\n\n--- Last question ---\n{question}"

    # In place of a worker: the version is rejected before the second poll.
    def reject(seconds: float) -> None:
        BotVersion.objects.update(
            state="rejected",
            bundle_digest="d" * 64,
            step="check",
            verdict="time",
            reason=stored(said("In turn 1: too late.")),
            log=log,
        )

    monkeypatch.setattr("banzuke.commands.upload.time.sleep", reject)
    assert banzuke("upload", bot, "--game", GAME) == 1
    out = capsys.readouterr().out
    assert "  ✓ Checked\n" in out
    assert "  ✓ Built\n  ✗ Check match played\nIn turn 1: too late.\nYour program answered too late." in out
    # A long question does not hide the output of the bot when it failed.
    assert f"\n--- Standard error ---\n{'x' * LOG_LINE_CHARS}\n\n--- Last question ---\nMOVE 0\n" in out
    assert "\nMOVE 10\n[... 77 lines left out: the page of the version has all ...]\nMOVE 88\n" in out
    assert out.endswith("\nMOVE 99\n")


@pytest.mark.usefixtures("signed_in", "broker_url")
@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"state": "active", "artifact_digest": "1" * 64}, 0),
        ({"state": "rejected", "step": "build", "verdict": "compile error", "log": "main.py: \u202ewrong\x9b"}, 1),
        ({"state": "building"}, 3),
    ],
    ids=["accepted", "rejected", "timed out"],
)
def test_scripts_get_an_exit_status_and_json(
    changed: dict[str, str],
    status: int,
    bot: Path,
    banzuke: Run,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # In place of a worker, while the command waits between two polls.
    work = SimpleNamespace(
        sleep=lambda _: BotVersion.objects.update(**changed), monotonic=iter((0.0, 1.0, 9.0)).__next__
    )
    monkeypatch.setattr("banzuke.commands.upload.time", work)
    capsys.readouterr()
    assert banzuke("upload", bot, "--game", GAME, "--wait", "--timeout", 9, "--json") == status
    told = json.loads(capsys.readouterr().out)
    assert told["url"].endswith(f"/versions/{BotVersion.objects.get().pk}/")
    assert (told["state"], told["is_final"], told["log"]) == (changed["state"], status != 3, changed.get("log", ""))
    assert bool(told["advice"]) == (status == 1)


@pytest.mark.usefixtures("signed_in", "broker_url")
def test_a_try_plays_on_from_a_turn(bot: Path, banzuke: Run, refusal: Refusal, monkeypatch: pytest.MonkeyPatch) -> None:
    match = finish_random_match(GAME)
    chosen = ("try", bot, "--game", GAME, "--from-match", match.pk)
    assert "Please send from_turn" in refusal(*chosen)
    assert banzuke(*chosen, "--from-turn", 4, "--timeout", 1) == 3
    assert [(tried.seed, len(tried.played)) for tried in Try.objects.all()] == [(match.seed, 3)]
    Try.objects.all().delete()
    monkeypatch.chdir(bot.parent)
    monkeypatch.setattr(agents, "WAIT_SECONDS", 1)
    assert "Ask show_try(" in agents.try_bot("mine", GAME, from_match=match.pk, from_turn=3)
    assert [(tried.seed, len(tried.played)) for tried in Try.objects.all()] == [(match.seed, 2)]


def test_a_shortened_log_has_the_first_line_of_a_stack_trace() -> None:
    section = "--- Standard error ---\n" + "debug\n" * 99 + "StackOverflowError\n" + "\tat A.f(A.java:1)\n" * 1_024
    shown = shortened(section)
    assert "StackOverflowError" in shown
    assert len(shown) == LOG_SECTION_LINES + 3


def test_a_probation_is_printed_with_its_faults(
    signed_in: str, author: User, banzuke: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    old = make_version(make_bot("Hana", author))
    records = make_records("Rival", "Hana", fault_turn=2)
    match = finish_match(make_match(make_rival("Rival"), old), records)
    version_transition(version=old, to=BotVersion.State.PROBATION)
    make_version(old.bot, state=BotVersion.State.REJECTED)
    assert banzuke("status") == 0
    reported = capsys.readouterr().out
    assert f"Hana, version 1, is on probation: {signed_in}/versions/{old.pk}/" in reported
    assert (
        f"then upload a corrected version, or let this one play again. It failed in: {match.pk} (crashed)." in reported
    )


@pytest.mark.usefixtures("signed_in")
@pytest.mark.parametrize(
    ("name", "sentence"), [("x" * 90, "name: "), ("caf\udce9", "not in the encoding of your terminal")]
)
def test_a_name_is_refused_in_words(name: str, sentence: str, bot: Path, refusal: Refusal) -> None:
    assert sentence in refusal("upload", bot, "--game", GAME, "--name", name)


# --- Challenges -----------------------------------------------------------------------------------------------------


@pytest.fixture
def rivals(author: User) -> tuple[BotVersion, BotVersion]:
    """Return a bot of the author and one of another user, both on the board."""
    mine = make_version(make_bot("Hana", author), artifact_digest="1" * 64)
    theirs = make_rival("Stone Wall", artifact_digest="2" * 64)
    make_rating(theirs, 1_700.0)
    make_standings()
    return mine, theirs


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> None:
    """Finish the first match and void the second while the command waits for them."""

    def play(_seconds: float) -> None:
        first, second = Match.objects.order_by("pk")
        first.attempts.all().delete()
        finish_match(first, make_records("Hana", "Stone Wall", fault_turn=3))
        match_void(match=second, reason=said("Its worker was wrong."))

    monkeypatch.setattr(challenge, "time", SimpleNamespace(sleep=play))


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize("argument", ["stone wall", "{number}", "https://arena.example/bots/{number}/"])
def test_a_challenge_brings_results_and_replays(
    signed_in: str,
    rivals: tuple[BotVersion, BotVersion],
    argument: str,
    banzuke: Run,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    other = argument.format(number=rivals[1].bot_id)
    assert banzuke("challenge", "Hana", other, "--folder", tmp_path) == 0
    first, second = Match.objects.order_by("pk")
    out, path = capsys.readouterr().out, tmp_path / f"match-{first.pk}.jsonl.zst"
    assert f"{signed_in}/matches/{first.pk}/\n{signed_in}/matches/{second.pk}/\n" in out
    assert f"Match {first.pk}: 1. Hana " in out
    assert f"(crashed). banzuke watch {path}\n" in out
    assert f"Match {second.pk}: Its worker was wrong.\n" in out
    assert [seat["name"] for seat in decode(path.read_bytes())[0]["seats"]] == ["Hana", "Stone Wall"]


@pytest.mark.usefixtures("signed_in")
def test_a_challenge_need_not_be_waited_for(
    rivals: tuple[BotVersion, BotVersion], banzuke: Run, tmp_path: Path
) -> None:
    assert banzuke("challenge", "Hana", rivals[1].bot_id, "--no-wait", "--folder", tmp_path) == 0
    assert set(Match.objects.values_list("state", "kind")) == {("queued", "challenge")}
    assert list(tmp_path.glob("match*")) == []


@pytest.mark.usefixtures("signed_in")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["Hana", "Wall"], "No bot of kakomimasu is called Wall. There are: Stone Wall."),
        (["Hana", "Moat"], "No bot of kakomimasu is called Moat. Its number will do"),
        (["Hana", "Stone Wall", "--game", "puyo"], "Which Hana? Tell the contest by --contest: kakomimasu."),
        (["Hana", "{mine}"], "A bot cannot challenge itself."),
        (["Hana", "999"], "There is no such thing"),
        (["Moat", "Hana"], "hana has no such bot"),
    ],
)
@pytest.mark.usefixtures("played")
def test_problems_of_a_challenge_are_printed(
    rivals: tuple[BotVersion, BotVersion], words: list[str], sentence: str, refusal: Refusal
) -> None:
    assert sentence in refusal("challenge", *(word.format(mine=rivals[0].bot_id) for word in words))


@pytest.mark.usefixtures("signed_in")
def test_a_challenge_whose_replays_cannot_be_kept_is_not_ordered(
    rivals: tuple[BotVersion, BotVersion], refusal: Refusal
) -> None:
    refused = refusal("challenge", "Hana", rivals[1].bot_id, "--folder", "/nowhere")
    assert "No replay can be written to /nowhere" in refused
    assert not Match.objects.exists()
