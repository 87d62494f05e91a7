"""States and limits of games, as administrators set them: services, and pages follow them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import AuditEntry
from common.errors import InputError
from contests.models import Contest
from contests.selectors.contests import (
    bot_limits,
    contest_state,
    contests_open,
    limits_installed,
    upload_problem,
)
from contests.services.contests import (
    contest_deadline_set,
    contest_limits_set,
    contest_transition,
    open_contests_ensure,
)
from ladder.models import BotVersion
from ladder.selectors.boards import version_rank
from ladder.services.housebots import housebots_load
from ladder.services.uploads import version_create, version_retry
from ladder.services.versions import version_disqualify, version_retire, version_transition
from tests.ladder.makers import DIGEST, an_upload, make_bot, make_ranked, make_standings, make_user, make_version

pytestmark = pytest.mark.django_db

GAME = "kakomimasu"
State = Contest.State


def test_missing_rows_are_created_and_others_left() -> None:
    assert set(Contest.objects.values_list("game", "state")) >= {(GAME, "open"), ("puyo", "open")}
    contest_transition(contest=GAME, to=State.PAUSED, actor=None)
    Contest.objects.filter(slug="puyo").delete()
    open_contests_ensure()
    assert contest_state(contest=GAME) == State.PAUSED
    assert Contest.objects.filter(slug="puyo").exists()


@pytest.mark.parametrize("to", [State.PAUSED, State.FROZEN])
def test_a_change_is_shown_at_once_and_audited(to: State) -> None:
    chief = make_user("chief")
    assert contests_open()[0].state == State.OPEN
    contest = contests_open()[0].slug
    contest_transition(contest=contest, to=to, actor=chief, reason="We mend the rules.")
    assert (contests_open()[0].state, contests_open()[0].reason) == (to, "We mend the rules.")
    entry = AuditEntry.objects.get(actor=chief, act="contest_transition")
    assert (entry.target, entry.reason) == (f"{contest}: {to}", "We mend the rules.")
    contest_transition(contest=contest, to=State.OPEN, actor=chief, reason="Done.")
    assert (contests_open()[0].state, contests_open()[0].reason) == (State.OPEN, "")


@pytest.mark.parametrize("state", [State.PAUSED, State.FROZEN])
def test_another_reason_takes_the_place_of_the_first(state: State) -> None:
    contest_transition(contest=GAME, to=state, actor=None, reason="We mend the rules.")
    contest_transition(contest=GAME, to=state, actor=None, reason="Mended; we look for what else is wrong.")
    found = Contest.objects.get(slug=GAME)
    assert (found.state, found.reason) == (state, "Mended; we look for what else is wrong.")
    for no_other in ("", " ", " Mended; we look for what else is wrong. "):
        with pytest.raises(InputError, match=f"already: {state}"):
            contest_transition(contest=GAME, to=state, actor=None, reason=no_other)
    assert AuditEntry.objects.count() == 2


def test_a_bot_of_a_game_that_is_not_offered_any_more_leads_nowhere_wrong(client: Client, settings: Settings) -> None:
    bot = make_version(make_bot("Moat", make_user("alice"))).bot
    client.force_login(bot.owner)
    settings.GAMES = ["puyo"]
    page = client.get(reverse("ladder:bot", args=[bot.pk])).text
    assert "This game is not played here any more." in page
    assert "Kakomimasu" in page
    assert [url for url in ("/games/kakomimasu/", "/upload/?bot=") if url in page] == []
    assert "Moat" not in client.get(f"/upload/?bot={bot.pk}").text


def test_invalid_changes_of_a_game_are_refused() -> None:
    with pytest.raises(InputError, match="already: open"):
        contest_transition(contest=GAME, to=State.OPEN, actor=None, reason="It is.")
    with pytest.raises(InputError, match="no such contest"):
        contest_transition(contest="chess", to=State.PAUSED, actor=None)
    with pytest.raises(InputError, match="500 characters"):
        contest_transition(contest=GAME, to=State.PAUSED, actor=None, reason="r" * 501)
    assert not AuditEntry.objects.exists()


# --- Uploads and builds ---------------------------------------------------------------------------------------------


def test_a_paused_game_takes_bots_and_a_frozen_one_says_why_not(client: Client) -> None:
    alice = make_user("alice")
    client.force_login(alice)
    contest_transition(contest=GAME, to=State.PAUSED, actor=None)
    version_create(owner=alice, contest=GAME, name="Moat", upload=an_upload())
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    with pytest.raises(InputError, match="is over"):
        version_create(owner=alice, contest=GAME, name="Moat", upload=an_upload(b"print(2)\n"))
    with pytest.raises(InputError, match="is over"):
        version_retry(version=make_version(make_bot("Wall"), state=BotVersion.State.FAILED))
    page = client.post("/upload/", {"contest": GAME, "name": "Moat", "upload": an_upload(b"print(2)\n")})
    assert page.status_code == 422
    assert "This contest is over." in page.text
    assert BotVersion.objects.count() == 2
    version_create(owner=alice, contest="puyo", name="Moat", upload=an_upload())


def freeze_and_begin_to_sign() -> None:
    """Freeze the contest, and take it to the stage in which its board is being signed."""
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    Contest.objects.filter(pk=GAME).update(final_stage=Contest.FinalStage.FITTING)


@pytest.mark.parametrize(("hours", "plays_on"), [(-1, False), (1, True)])
def test_what_came_before_the_freeze_plays_and_what_came_after_it_does_not(hours: int, plays_on: bool) -> None:
    old = make_version()
    new = make_version(old.bot, state=BotVersion.State.BUILDING)
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    BotVersion.objects.filter(pk=new.pk).update(received_at=timezone.now() - timedelta(hours=hours))
    version_transition(version=new, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST)
    old.refresh_from_db()
    assert (old.state == BotVersion.State.RETIRED) == plays_on


def test_an_upload_that_came_before_the_freeze_is_taken_after_it_until_the_board_is_signed() -> None:
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    frozen_at = Contest.objects.get(pk=GAME).frozen_at
    assert frozen_at
    before, after = frozen_at - timedelta(seconds=1), frozen_at + timedelta(seconds=1)
    assert upload_problem(contest=GAME, received_at=before) == ""
    assert "is over" in upload_problem(contest=GAME, received_at=after)
    assert "is over" in upload_problem(contest=GAME)
    Contest.objects.filter(pk=GAME).update(entries_until=frozen_at - timedelta(hours=1))
    assert "reached us at" in upload_problem(contest=GAME, received_at=before)
    Contest.objects.filter(pk=GAME).update(entries_until=None, final_stage=Contest.FinalStage.FITTING)
    assert "is over" in upload_problem(contest=GAME, received_at=before)


def test_a_build_that_ends_while_the_board_is_signed_leaves_it_as_it_is(client: Client) -> None:
    plays = make_version()
    late = make_version(plays.bot, state=BotVersion.State.BUILDING)
    freeze_and_begin_to_sign()
    version_transition(version=late, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST)
    plays.refresh_from_db()
    late.refresh_from_db()
    assert (plays.state, late.state) == (BotVersion.State.ACTIVE, BotVersion.State.RETIRED)
    client.force_login(late.bot.owner)
    page = reverse("ladder:version", args=[late.pk])
    assert "frozen before this version was ready" in client.get(page).text
    client.cookies["django_language"] = "ja"
    assert "frozen before this version was ready" not in client.get(page).text


@pytest.mark.parametrize("withdrawn", [False, True])
def test_a_version_built_in_a_frozen_game_hands_the_rating_on(withdrawn: bool) -> None:
    """The late version never played: if the next one inherited from it, the bot would lose its rating."""
    plays = make_version()
    late, newest = (make_version(plays.bot, state=BotVersion.State.BUILDING) for _ in range(2))
    freeze_and_begin_to_sign()
    late = version_transition(version=late, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST)
    assert late.activated_at is None, "a version of the match log would change the board"
    contest_transition(contest=GAME, to=State.OPEN, actor=None)
    if withdrawn:
        version_retire(version=plays)
    newest = version_transition(version=newest, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST)
    assert newest.parent == plays


def test_a_house_bot_built_in_a_frozen_game_becomes_active() -> None:
    house = make_version(make_bot("Anchor", is_house=True, declared_rating=1_500), state=BotVersion.State.BUILDING)
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    assert version_transition(version=house, to=BotVersion.State.ACTIVE, artifact_digest=DIGEST).state == "active"


@pytest.mark.parametrize("is_frozen", [True, False])
def test_house_bots_are_loaded_neither_when_frozen_nor_after_the_deadline(is_frozen: bool) -> None:
    if is_frozen:
        contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    else:
        contest_deadline_set(contest=GAME, until=timezone.now(), actor=None)
    loaded = housebots_load()
    assert loaded
    assert GAME not in {version.bot.game for version in loaded}


# --- Withdrawals ----------------------------------------------------------------------------------------------------


ON_ITS_WAY_OR_UP = [BotVersion.State.UPLOADED, BotVersion.State.BUILDING, *BotVersion.ON_BOARD]


@pytest.mark.parametrize("state", ON_ITS_WAY_OR_UP)
def test_owners_withdraw_nothing_from_a_frozen_game(client: Client, state: BotVersion.State) -> None:
    version = make_version(state=state)
    client.force_login(version.bot.owner)
    page = reverse("ladder:version", args=[version.pk])
    act = reverse("ladder:version_act", args=[version.pk, "retire"])
    assert act in client.get(page).text
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    assert act not in client.get(page).text
    assert "You can withdraw this version once the contest is open again." in client.post(act, follow=True).text
    version.refresh_from_db()
    assert version.state == state
    for to in (State.PAUSED, State.OPEN):
        contest_transition(contest=GAME, to=to, actor=None)
        assert act in client.get(page).text
    client.post(act)
    version.refresh_from_db()
    assert version.state == BotVersion.State.RETIRED


def test_bots_of_frozen_games_do_not_count_in_the_quota(settings: Settings) -> None:
    settings.USER_ACTIVE_BOTS_MAX = 1
    owner = make_version().bot.owner
    with pytest.raises(InputError, match="withdraw one of them first"):
        version_create(owner=owner, contest="puyo", name="Chain", upload=an_upload())
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    version_create(owner=owner, contest="puyo", name="Chain", upload=an_upload())
    with pytest.raises(InputError, match="withdraw one of them first"):
        version_create(owner=owner, contest="puyo", name="Links", upload=an_upload(b"print(2)\n"))


def test_administrators_take_a_bot_off_a_frozen_board() -> None:
    first, second = make_ranked("Moat", 1_600), make_ranked("Wall", 1_500)
    make_standings()
    contest_transition(contest=GAME, to=State.FROZEN, actor=None)
    version_disqualify(version=first, reason="It cheats.")
    make_standings()
    assert version_rank(version=BotVersion.objects.get(pk=second.pk)) == 1


def test_an_active_version_of_a_paused_game_is_promised_nothing(client: Client) -> None:
    version = make_version()
    client.force_login(version.bot.owner)
    contest_transition(contest=GAME, to=State.PAUSED, actor=None)
    page = client.get(reverse("ladder:version", args=[version.pk])).text
    assert "within seconds" not in page
    assert "This contest is paused" in page


# --- Pages and the command ------------------------------------------------------------------------------------------


def test_pages_of_the_game_show_it(client: Client) -> None:
    urls = [
        reverse("ladder:games"),
        reverse("ladder:board", args=[f"games/{GAME}"]),
        reverse("ladder:guide", args=[f"games/{GAME}"]),
    ]
    assert not any("This game is" in client.get(url).text for url in urls)
    contest_transition(contest=GAME, to=State.FROZEN, actor=None, reason="The prizes <b>are given</b>.")
    for url in urls:
        text = client.get(url).text
        assert "This contest is over" in text
        assert "The prizes &lt;b&gt;are given&lt;/b&gt;." in text
    board = client.get(reverse("ladder:board", args=[f"games/{GAME}"])).text
    assert f"{reverse('ladder:upload')}?contest={GAME}" not in board


# --- Limits ---------------------------------------------------------------------------------------------------------


def test_limits_are_chosen_over_those_of_the_installation(client: Client) -> None:
    installed = limits_installed(game=GAME)
    contest_limits_set(contest=GAME, limits={"memory_mib": 512}, actor=None)
    assert bot_limits(contest=Contest.objects.get(slug=GAME)).memory_mib == 512
    assert bot_limits(contest=Contest.objects.get(slug=GAME)).pids_max == installed.pids_max
    assert "Memory: 512 MiB" in client.get(reverse("ladder:guide", args=[f"games/{GAME}"])).text
    contest_limits_set(contest=GAME, limits={}, actor=None)
    assert bot_limits(contest=Contest.objects.get(slug=GAME)) == installed
    targets = list(AuditEntry.objects.values_list("target", flat=True))
    assert targets == [f"{GAME}: as installed", f"{GAME}: memory_mib=512"]


@pytest.mark.parametrize("limits", [{"memory_mib": 5_000_000}, {"memory_mib": 0}, {"wings": 2}])
def test_limits_that_no_worker_gives_are_refused(limits: dict[str, int]) -> None:
    with pytest.raises(InputError, match="cannot be given"):
        contest_limits_set(contest=GAME, limits=limits, actor=None)
    assert bot_limits(contest=Contest.objects.get(slug=GAME)) == limits_installed(game=GAME)


def test_a_limit_that_is_known_no_more_limits_nothing() -> None:
    Contest.objects.filter(slug=GAME).update(limits={"wings": 2, "memory_mib": 512})
    assert bot_limits(contest=Contest.objects.get(slug=GAME)).memory_mib == 512
