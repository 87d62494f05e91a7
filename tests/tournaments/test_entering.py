"""Who enters which bots, when, and by which list. Each refusal is a sentence; a list is taken whole or not at all."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import AuditEntry, User
from common.errors import InputError
from contests.models import Contest, Member
from formats.stages import ENTRANTS_MAX
from ladder.models import Bot, BotVersion
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user, make_version
from tests.tournaments.makers import make_tournament, make_versions
from tests.visitors import signed_in
from tournaments.models import Entrant, Tournament
from tournaments.selectors import entries
from tournaments.selectors.entrants import entrants_of, own_entries
from tournaments.selectors.entries import enter_problem, entries_problem, leave_problem
from tournaments.services.entries import entrant_enter, entrant_leave, entrant_remove
from tournaments.services.lists import PROBLEMS_SHOWN, ListError, entrants_enter_list

pytestmark = pytest.mark.django_db

HERE = "/games/kakomimasu/tournaments/final/"
SOON, BEFORE = timezone.now() + timedelta(hours=1), timezone.now() - timedelta(hours=1)


@pytest.fixture
def alice() -> User:
    return make_user("alice")


@pytest.fixture
def moat(alice: User) -> Bot:
    """Alice's bot, which plays."""
    return make_version().bot


def make_organiser() -> User:
    user = make_user("oda")
    Member.objects.create(contest_id="kakomimasu", user=user, role=Member.Role.ORGANISER)
    return user


def opened(entry: str = "sign_up", **fields: object) -> Tournament:
    return make_tournament("open", entrants=[], entry=entry, **fields)  # type: ignore[arg-type]


def entered(tournament: Tournament) -> list[str]:
    return [entrant.bot.name for entrant in tournament.entrants.order_by("pk")]


# --- When ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "owners", "organisers"),
    [
        ({}, "", ""),
        ({"entries_until": SOON}, "", ""),
        ({"entries_until": BEFORE}, "were until", ""),
        ({"entry": "list"}, "organisers choose", ""),
        ({"entry": "board", "entrants_max": 4}, "nobody enters them", "nobody enters them"),
    ],
)
def test_owners_enter_while_it_is_open_and_organisers_until_the_draw(
    fields: dict[str, object], owners: str, organisers: str, alice: User
) -> None:
    tournament = opened(**{"entry": "sign_up", **fields})  # type: ignore[arg-type]
    for reader, word in ((alice, owners), (make_organiser(), organisers), (None, organisers)):
        problem = entries_problem(tournament=tournament, reader=reader)
        assert (word in problem) if word else problem == ""


@pytest.mark.parametrize(("state", "word"), [("draft", "not open for entries yet"), ("running", "has been drawn")])
def test_before_and_after_nobody_enters(state: str, word: str, alice: User) -> None:
    tournament = make_tournament(state, entry="sign_up")
    assert word in entries_problem(tournament=tournament, reader=alice)
    is_draft = state == "draft"
    assert (entries_problem(tournament=tournament, reader=make_organiser()) == "") is is_draft


def test_a_full_tournament_takes_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "ENTERED_MAX", 4)
    assert "takes no more" in entries_problem(tournament=make_tournament("open"), reader=None)


def test_nobody_enters_the_bot_of_a_rival(moat: Bot, alice: User) -> None:
    """The attack: somebody enters the bot of a rival, who wants to keep it for another tournament."""
    tournament = opened()
    eve = make_user("eve")
    assert enter_problem(tournament=tournament, bot=moat, reader=alice) == ""
    assert "your own bots alone" in enter_problem(tournament=tournament, bot=moat, reader=eve)
    with pytest.raises(InputError, match="your own bots alone"):
        entrant_enter(tournament=tournament.pk, bot=moat.pk, actor=eve)
    assert entered(tournament) == []


def test_a_bot_of_another_contest_is_not_entered(alice: User) -> None:
    contest = make_contest("spring", visibility="public")
    bot = make_version(Bot.objects.create(owner=alice, contest=contest, game=contest.game, name="Moat")).bot
    with pytest.raises(InputError, match="has no such bot"):
        entrant_enter(tournament=opened().pk, bot=bot.pk, actor=alice)


def test_a_removed_member_enters_no_bot_of_a_private_contest(alice: User) -> None:
    """The attack: a member who was removed goes on from the bot that he still has there."""
    contest = make_contest("spring")
    bot = make_version(Bot.objects.create(owner=alice, contest=contest, game=contest.game, name="Moat")).bot
    tournament = make_tournament("open", contest="spring", entry="sign_up", entrants=[])
    with pytest.raises(InputError):
        entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=alice)
    Member.objects.create(contest=contest, user=alice)
    entrant_enter(tournament=tournament.pk, bot=bot.pk, actor=alice)
    assert entered(tournament) == ["Moat"]


def test_a_tournament_that_is_gone_takes_nothing(moat: Bot, alice: User) -> None:
    tournament = opened()
    entrant = entrant_enter(tournament=tournament.pk, bot=moat.pk, actor=alice)
    key = tournament.pk
    tournament.delete()
    with pytest.raises(InputError, match="no such tournament any more"):
        entrant_enter(tournament=key, bot=moat.pk, actor=alice)
    for act in (
        lambda: entrant_remove(entrant=entrant.pk, actor=alice),
        lambda: entrant_leave(entrant=entrant.pk, left=Entrant.Left.WITHDRAWN, reason="", actor=alice),
    ):
        with pytest.raises(InputError, match="not entered any more"):
            act()


@pytest.mark.parametrize(
    ("state", "number", "left", "word"),
    [
        ("running", 1, "", ""),
        ("drawn", 1, "", ""),
        ("running", None, "", "Remove its entry instead"),
        ("finished", 1, "", "over"),
        ("released", 1, "", "over"),
        ("running", 1, "withdrawn", "left the tournament already"),
    ],
)
def test_an_entrant_leaves_between_draw_and_end(state: str, number: int | None, left: str, word: str) -> None:
    entrant = Entrant(tournament=Tournament(state=state), number=number, left=left)
    problem = leave_problem(entrant=entrant)
    assert (word in problem) if word else problem == ""


# --- A reader's own bots ---------------------------------------------------------------------------------------------


def test_own_bots_are_entered_or_free_to_be(moat: Bot, alice: User) -> None:
    tournament = opened()
    idle = Bot.objects.create(owner=alice, contest_id="kakomimasu", game="kakomimasu", name="Keep")
    make_version(idle, state=BotVersion.State.RETIRED)
    make_versions(1, prefix="Other ")
    own = own_entries(tournament=tournament, reader=alice)
    assert (own.entered, own.free, own.is_open) == ([], [moat], True)
    entrant_enter(tournament=tournament.pk, bot=moat.pk, actor=alice)
    own = own_entries(tournament=tournament, reader=alice)
    assert ([entrant.bot for entrant in own.entered], own.free) == ([moat], [])


@pytest.mark.parametrize(
    "fields", [{"entry": "list"}, {"entries_until": BEFORE}, {"entry": "board", "entrants_max": 4}]
)
def test_no_bot_is_free_where_owners_enter_none(fields: dict[str, object], moat: Bot, alice: User) -> None:
    own = own_entries(tournament=opened(**{"entry": "sign_up", **fields}), reader=alice)  # type: ignore[arg-type]
    assert (own.free, own.is_open) == ([], False)


def test_entrants_come_by_seed_and_before_the_draw_as_they_were_entered() -> None:
    versions = make_versions(3)
    tournament = make_tournament("open", entrants=list(reversed(versions)))
    assert [entrant.bot.name for entrant in entrants_of(tournament=tournament)] == ["Tower", "Keep", "Moat"]
    for number, name in enumerate(("Moat", "Keep"), start=1):
        tournament.entrants.filter(bot__name=name).update(number=number)
    assert [entrant.bot.name for entrant in entrants_of(tournament=tournament)] == ["Moat", "Keep", "Tower"]


# --- The page --------------------------------------------------------------------------------------------------------


def test_an_owner_enters_by_the_page_and_takes_it_back(moat: Bot, alice: User) -> None:
    tournament, client = opened(), signed_in(alice)
    assert "Enter this bot" in client.get(HERE).text
    page = client.post(f"{HERE}enter/", {"bot": moat.pk}, follow=True).text
    assert "Moat is entered." in page
    assert "Take the entry back" in page
    page = client.post(f"{HERE}entries/remove/", {"entrant": tournament.entrants.get().pk}, follow=True).text
    assert "Moat is not entered any more." in page
    assert entered(tournament) == []
    acts = list(AuditEntry.objects.order_by("pk").values_list("act", "actor__username"))
    assert acts == [("entrant_enter", "alice"), ("entrant_remove", "alice")]


@pytest.mark.parametrize(
    ("path", "sent", "word"),
    [
        ("enter", {}, "Choose one of your bots from the list."),
        ("enter", {"bot": "x"}, "Choose one of your bots from the list."),
        ("entries/remove", {"entrant": "1"}, "None of your bots is entered with this number."),
        ("withdraw", {}, "None of your bots is entered with this number."),
    ],
)
def test_what_was_not_offered_is_refused_on_the_page(
    path: str, sent: dict[str, str], word: str, moat: Bot, alice: User
) -> None:
    tournament = opened()
    page = signed_in(alice).post(f"{HERE}{path}/", sent, follow=True).text
    assert word in page
    assert entered(tournament) == []


@pytest.mark.parametrize("path", ["enter", "entries/remove", "withdraw"])
def test_guests_sign_in_first_and_nothing_is_a_link(path: str, moat: Bot, alice: User, client: Client) -> None:
    opened()
    assert client.post(f"{HERE}{path}/", {"bot": moat.pk})["Location"].startswith("/accounts/login/")
    assert signed_in(alice).get(f"{HERE}{path}/").status_code == 405
    assert "to enter one of your bots." in client.get(HERE).text


def test_a_withdrawal_is_told_to_everybody_with_its_reason(alice: User, client: Client) -> None:
    versions = make_versions(4)
    tournament = make_tournament("running", entrants=versions)
    entrant = tournament.entrants.get(number=1)
    owner = signed_in(entrant.bot.owner)
    assert "Withdraw for good" in owner.get(HERE).text
    page = owner.post(f"{HERE}withdraw/", {"entrant": entrant.pk, "reason": "It <crashes>."}, follow=True).text
    assert "Moat is withdrawn from the tournament." in page
    assert "It &lt;crashes&gt;." in client.get(HERE).text
    assert "Withdraw for good" not in owner.get(HERE).text


# --- Lists -----------------------------------------------------------------------------------------------------------


def test_a_list_enters_each_bot_once_in_its_order() -> None:
    make_versions(4)
    tournament = opened("list")
    made = entrants_enter_list(tournament=tournament, text=" Keep \n\nMOAT\r\nkeep\n", actor=None)
    assert [entrant.bot.name for entrant in made] == entered(tournament) == ["Keep", "Moat"]
    again = entrants_enter_list(tournament=tournament, text="Moat\nGate", actor=None)
    assert [entrant.bot.name for entrant in again] == ["Gate"]


def test_a_list_with_a_mistake_enters_nobody_and_names_each() -> None:
    versions = make_versions(3)
    BotVersion.objects.filter(pk=versions[1].pk).update(state="retired")
    tournament = opened("list")
    with pytest.raises(ListError) as refused:
        entrants_enter_list(tournament=tournament, text="Moat\nNobody\nKeep\nA\0b", actor=None)
    assert refused.value.sentences == [
        "This contest has no bot with the name “Nobody”.",
        "Keep: Keep has no active version. Please enter it once it has passed its check match.",
        "This contest has no bot with the name “A\0b”.",
    ]
    assert entered(tournament) == []


@pytest.mark.parametrize("text", ["", "  \n\t\n", "\r\n"])
def test_an_empty_list_is_refused(text: str) -> None:
    with pytest.raises(ListError, match="one in each line"):
        entrants_enter_list(tournament=opened("list"), text=text, actor=None)


def test_a_list_has_no_more_names_than_a_tournament_entrants() -> None:
    text = "\n".join(f"Bot {number}" for number in range(ENTRANTS_MAX + 1))
    with pytest.raises(ListError, match=f"at most {ENTRANTS_MAX} names"):
        entrants_enter_list(tournament=opened("list"), text=text, actor=None)


@pytest.mark.parametrize(
    ("wrong", "last"), [(1, "One more name is wrong."), (5, "5 more names are wrong."), (0, "“Bot 19”.")]
)
def test_of_many_mistakes_the_first_are_told(wrong: int, last: str) -> None:
    text = "\n".join(f"Bot {number}" for number in range(PROBLEMS_SHOWN + wrong))
    with pytest.raises(ListError) as refused:
        entrants_enter_list(tournament=opened("list"), text=text, actor=None)
    assert len(refused.value.sentences) == PROBLEMS_SHOWN + bool(wrong)
    assert refused.value.sentences[-1].endswith(last)


def test_bots_of_other_contests_are_unknown_to_a_list(alice: User) -> None:
    contest: Contest = make_contest("spring")
    make_version(Bot.objects.create(owner=alice, contest=contest, game=contest.game, name="Elsewhere"))
    with pytest.raises(ListError, match="no bot with the name “Elsewhere”"):
        entrants_enter_list(tournament=opened("list"), text="Elsewhere", actor=None)
