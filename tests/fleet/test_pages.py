"""The administrators' pages: who may see them, what they do, and how many queries they make."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import AuditEntry, User
from accounts.services.audit import audit_write
from core import __version__
from core.message import said, stored
from fleet.models import Host
from fleet.selectors.overview import WorkerRow
from jobs.models import Worker
from jobs.services.workers import worker_drain
from ladder.models import BotVersion
from ladder.services.housebots import housebots_load
from ladder.services.languages import languages_announce
from matches.models import Match
from tests.fleet.makers import make_worker
from tests.ladder.makers import make_bot, make_user
from tests.matches.makers import finish_match, make_match, make_version
from wire.worker_reports import LanguagesReport, WorkingLanguage

pytestmark = pytest.mark.django_db

SESSION_QUERIES = 2


@pytest.fixture
def admin() -> User:
    return make_user("root admin", is_staff=True)


@pytest.fixture
def staff(client: Client, admin: User) -> Client:
    client.force_login(admin)
    return client


@pytest.fixture
def worker() -> Worker:
    return make_worker()


def addresses(worker: Worker) -> list[str]:
    pages = [reverse(f"fleet:{name}") for name in ("fleet", "hosts", "audit")]
    acts = [reverse("fleet:act", args=[worker.pk, act]) for act in ("scale", "drain", "resume")]
    return [*pages, *acts, reverse("fleet:quarantine", args=[worker.pk]), reverse("fleet:revoke", args=[1])]


# --- Who ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("visitor", ["nobody", "alice", "former"])
def test_others_get_404(client: Client, worker: Worker, visitor: str) -> None:
    if visitor != "nobody":
        client.force_login(make_user(visitor, is_staff=visitor == "former"))
        User.objects.filter(username="former").update(is_staff=False)
    assert f'href="{reverse("fleet:fleet")}"' not in client.get("/").text
    for address in addresses(worker):
        # Where only POST is taken, GET says so to everybody alike.
        assert client.get(address).status_code in (404, 405), address
        assert client.post(address, {"reason": "x", "processes": 2}).status_code in (404, 405), address
    worker.refresh_from_db()
    assert (worker.state, worker.processes_wanted) == (Worker.State.ACTIVE, None)


def test_forms_need_their_token(admin: User, worker: Worker) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(admin)
    assert client.post(reverse("fleet:act", args=[worker.pk, "drain"])).status_code == 403


# --- What they show -------------------------------------------------------------------------------------------------


def test_a_worker_with_all_that_is_known_of_it(staff: Client) -> None:
    make_worker("play@one", self_test="The wall round the network is missing.", processes_wanted=1)
    finish_match(make_match(make_version("a"), make_version("b")))
    Match.objects.get().attempts.update(worker="play@one")
    assert f'href="{reverse("fleet:fleet")}"' in staff.get("/").text
    text = staff.get("/fleet/").text
    shown = ("play@one", "1 of 2 play", "(1 wanted)", "0.5", "50 %", "of 2 cores", "12.5 ms", __version__, "bubblewrap")
    for words in (*shown, "python, c", "The wall round the network is missing."):
        assert words in text, words


def test_the_queue_and_the_expected_wait(staff: Client) -> None:
    worker = make_worker()
    finish_match(make_match(make_version("a"), make_version("b")))
    make_match(make_version("c"), make_version("d"))
    text = staff.get("/fleet/").text
    assert "Kakomimasu" in text
    assert "120 s" in text or "2 min" in text  # one waits, one was played in two minutes
    worker_drain(name=worker.name, actor=None)
    assert "2 min" not in staff.get("/fleet/").text, "nobody takes what waits"


def test_names_from_workers_are_text(staff: Client) -> None:
    """The attack: a worker that was taken over runs a script on the page, or rearranges it by right-to-left marks."""
    named = {"version": "<b>1</b>", "languages": ["<i>c</i>"], "self_test": "The wall \u202eis missing."}
    make_worker("play@<script>alert(1)</script>", **named)
    text = staff.get("/fleet/").text
    for part in ("<script>alert", "<b>1</b>", "<i>c</i>", "\u202e"):
        assert part not in text
    assert r"The wall \u202eis missing." in text


@pytest.mark.usefixtures("kept")
def test_the_number_of_queries_is_fixed(
    staff: Client, django_assert_num_queries: DjangoAssertNumQueries, settings: Settings, broker_url: str
) -> None:
    settings.REDIS_URL = broker_url
    for number in range(20):
        make_worker(f"play@{number}")
        finish_match(make_match(make_version(f"{number} a"), make_version(f"{number} b")))
    staff.get("/fleet/")
    with django_assert_num_queries(SESSION_QUERIES + 15):
        staff.get("/fleet/")


def test_house_bots_that_do_not_play_are_named_with_the_reason(staff: Client) -> None:
    make_bot("random")
    housebots_load()
    python = WorkingLanguage("python", "Python 3", "3.11.2", ["main.py"], [".py"])
    languages_announce(report=LanguagesReport("play@one", [python]))
    recar = BotVersion.objects.filter(bot__name="recar")
    recar.update(state=BotVersion.State.REJECTED, reason=stored(said("It ended.")), log="ModuleNotFoundError: <numpy>")
    text = " ".join(staff.get("/fleet/").text.split())
    assert "<strong>recar</strong>, Back to the Code: It ended. <code>ModuleNotFoundError: &lt;numpy&gt;</code>" in text
    assert "<strong>scout</strong>, Kakomimasu: No worker has its language (cpp)." in text
    assert text.count("No worker has its language") == 5
    assert "<strong>random</strong>, Kakomimasu: A user's bot has its name" in text
    assert "<strong>olaf69</strong>" not in text


def test_many_workers_come_in_pages(staff: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fleet.selectors.overview.WORKERS_PAGE_ROWS", 2)
    first, *_, last = [make_worker(f"play@{number}") for number in range(5)]
    page = staff.get("/fleet/?page=3", headers={"HX-Request": "true"}).text
    assert last.name in page
    assert first.name not in page
    assert 'hx-get="/fleet/?page=3"' in page, "it asks for itself again"
    assert "5 / 10" in page, "all are counted"
    assert first.name in staff.get("/fleet/?page=nonsense").text
    done = staff.post(reverse("fleet:act", args=[last.pk, "drain"]), {"page": "3"}, follow=True)
    assert last.name in done.text, "the same page again"


@pytest.mark.usefixtures("kept")
def test_the_log_comes_in_pages(staff: Client, admin: User, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for number in range(60):
        audit_write(actor=admin, act="worker_drain", target=f"play@{number}", reason="Its fan is loud.")
    with django_assert_num_queries(SESSION_QUERIES + 2):
        first = staff.get("/fleet/audit/").text
    assert "play@59" in first
    assert "play@9<" not in first
    assert "play@9<" in staff.get("/fleet/audit/?page=2").text
    assert "play@9<" in staff.get("/fleet/audit/?page=nonsense&page=99").text


# --- What they do ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("now", "words"), [(2, "One process fewer"), (1, "One process more")])
def test_one_more_or_one_fewer(staff: Client, admin: User, now: int, words: str) -> None:
    worker = make_worker(processes=now)
    assert words in staff.get("/fleet/").text
    staff.post(reverse("fleet:act", args=[worker.pk, "scale"]), {"processes": 3 - now})
    worker.refresh_from_db()
    assert worker.processes_wanted == 3 - now
    assert AuditEntry.objects.get().actor == admin


@pytest.mark.parametrize("processes", ["", "-1", "0", "99999", "two", "３", "1e3"])
def test_an_invalid_number_of_processes_is_refused(staff: Client, worker: Worker, processes: str) -> None:
    response = staff.post(reverse("fleet:act", args=[worker.pk, "scale"]), {"processes": processes}, follow=True)
    assert "Please choose from 1 to 2 processes" in response.text
    worker.refresh_from_db()
    assert worker.processes_wanted is None


def test_drained_and_resumed(staff: Client, worker: Worker) -> None:
    assert "Drain<" in staff.get("/fleet/").text
    staff.post(reverse("fleet:act", args=[worker.pk, "drain"]))
    assert "Resume<" in staff.get("/fleet/").text
    staff.post(reverse("fleet:act", args=[worker.pk, "resume"]))
    refused = staff.post(reverse("fleet:act", args=[worker.pk, "resume"]), follow=True)
    assert "neither drained nor quarantined" in refused.text
    worker.refresh_from_db()
    assert worker.state == Worker.State.ACTIVE
    assert list(AuditEntry.objects.values_list("act", flat=True)) == ["worker_resume", "worker_drain"]


def test_quarantine_asks_for_a_reason(staff: Client, worker: Worker) -> None:
    address = reverse("fleet:quarantine", args=[worker.pk])
    assert "Quarantine play@one?" in staff.get(address).text
    refused = staff.post(address, {"reason": "  "})
    assert (refused.status_code, "Please give the reason" in refused.text) == (422, True)
    worker.refresh_from_db()
    assert worker.state == Worker.State.ACTIVE
    staff.post(address, {"reason": "It says that it won everything."})
    worker.refresh_from_db()
    assert (worker.state, worker.reason) == (Worker.State.QUARANTINED, "It says that it won everything.")


def test_a_host_is_invited_with_a_token_shown_once_and_turned_away(
    staff: Client, admin: User, broker_url: str, settings: Settings
) -> None:
    settings.REDIS_URL = broker_url
    refused = staff.post("/fleet/hosts/", {"name": "North Pole", "is_guest": "on"})
    assert 'name="is_guest" checked' in refused.text, "else it would be invited as one of the site's own"
    assert (refused.status_code, 'value="North Pole"' in refused.text) == (422, True)
    assert "small letters" in refused.text
    assert "deploy/join.sh" in staff.post("/fleet/hosts/", {"name": "north"}).text
    assert "deploy/join.sh" not in staff.get("/fleet/hosts/").text
    assert AuditEntry.objects.get().actor == admin
    staff.post(reverse("fleet:revoke", args=[Host.objects.get().pk]), {"reason": "Sold."})
    assert Host.objects.get(name="north").state == Host.State.REVOKED
    assert AuditEntry.objects.get(act="host_revoke").reason == "Sold."


def test_a_worker_of_another_release_is_shown(staff: Client) -> None:
    make_worker()
    assert "It is of release" not in staff.get("/fleet/").text
    make_worker("play@old", version="0.0.9")
    assert f"It is of release 0.0.9, and the site of {__version__}: upgrade it." in staff.get("/fleet/").text
    make_worker("play@new", version="1000.0.0.dev0")
    shown = f"It is of release 1000.0.0.dev0, and the site of {__version__}: upgrade the site."
    assert shown in staff.get("/fleet/").text


@pytest.mark.parametrize(
    ("worker", "site", "release"),
    [
        ("2.0.0", "2.0.0", ""),
        ("2.0.0", "2.1.0.dev0", "earlier"),
        ("2.1.0", "2.1.0.dev0", "later"),
        ("2.1.0.dev0", "2.1.0", "earlier"),
        ("2.10.0", "2.9.0", "later"),
        ("my own", "2.0.0", "earlier"),
    ],
)
def test_releases_are_compared_by_their_numbers(
    worker: str, site: str, release: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fleet.selectors.overview.__version__", site)
    assert WorkerRow(Worker(version=worker), 0.0, 0, "").release == release
