"""From which matches and tries a program may play on."""

from __future__ import annotations

import pytest

from accounts.models import User
from common.errors import InputError
from contests.models import Contest, Member
from exhibitions.selectors.played import answers_taken
from matches.models import Match, Result
from tests.contests.makers import make_contest
from tests.ladder.makers import make_user
from tests.matches.makers import finish_match, finish_random_match, make_match, make_version
from tests.workshop.makers import make_try, report_of
from workshop.models import Try
from workshop.selectors.origins import Origin, origin_of
from workshop.services.tries import TRIES

pytestmark = pytest.mark.django_db


@pytest.fixture
def contest() -> Contest:
    return Contest.objects.get(pk="kakomimasu")


@pytest.fixture
def match() -> Match:
    """A public match that has been played."""
    return finish_random_match("kakomimasu")


def origin(contest: Contest, reader: User, match: int | None = None, tried: int | None = None, turn: int = 1) -> Origin:
    return origin_of(match=match, tried=tried, turn=turn, contest=contest, reader=reader)


def refused(contest: Contest, reader: User, match: int | None = None, tried: int | None = None) -> bool:
    """Return whether there is no such match for a reader, in the same words for every reason."""
    with pytest.raises(InputError) as error:
        origin(contest, reader, match, tried)
    return str(error.value) == "There is no such match with a replay. Please choose another one."


def ended(owner: User, **fields: object) -> Try:
    tried = make_try(owner, **fields)
    TRIES.record(report=report_of(tried))
    tried.refresh_from_db()
    return tried


def test_a_match_is_played_on_by_its_own_rules_and_seed(contest: Contest, alice: User, match: Match) -> None:
    found = origin(contest, alice, match.pk, turn=3)
    assert (found.replay_digest, found.turns, found.turn) == (match.result.replay_digest, match.result.turns, 3)
    assert (found.rules_version, found.options, found.seed) == (match.rules_version, match.options, match.seed)
    assert found.players == match.seats.count()
    taken = answers_taken(
        game="kakomimasu",
        rules_version=found.rules_version,
        digest=found.replay_digest,
        turns=found.turns,
        turn=found.turn,
    )
    assert len(taken) == 2


def test_a_match_that_has_not_been_played_is_no_origin(contest: Contest, alice: User, match: Match) -> None:
    waiting = make_match(*(make_version(name) for name in ("Waits", "Idles")))
    assert refused(contest, alice, waiting.pk)
    Match.objects.filter(pk=match.pk).update(state=Match.State.VOID)
    assert refused(contest, alice, match.pk)


def test_a_match_without_a_replay_is_no_origin(contest: Contest, alice: User, match: Match) -> None:
    Result.objects.update(replay_digest="")
    assert refused(contest, alice, match.pk)


@pytest.mark.parametrize("number", [None, 0, 10**6])
def test_a_number_of_no_match_is_refused(contest: Contest, alice: User, match: Match, number: int | None) -> None:
    assert refused(contest, alice, number)


def test_a_match_of_another_contest_is_refused(contest: Contest, alice: User, match: Match) -> None:
    spring = make_contest(visibility="public")
    Match.objects.update(contest=spring)
    assert refused(contest, alice, match.pk)
    assert origin(spring, alice, match.pk).turn == 1


def test_a_match_of_a_private_contest_is_for_its_members(alice: User, match: Match) -> None:
    spring = make_contest()
    Match.objects.update(contest=spring)
    assert refused(spring, alice, match.pk)
    Member.objects.create(contest=spring, user=alice)
    assert origin(spring, alice, match.pk).seed == match.seed


def test_a_private_test_is_for_its_owner(contest: Contest, alice: User) -> None:
    versions = [make_version(name, "alice") for name in ("Moat", "Keep")]
    hidden = finish_match(make_match(*versions, kind=Match.Kind.TRIAL))
    bob = make_user("bob")
    assert refused(contest, bob, hidden.pk)


def test_an_own_try_is_played_on_and_anothers_is_not(contest: Contest, alice: User) -> None:
    tried = ended(alice, seed=7)
    found = origin(contest, alice, tried=tried.pk, turn=2)
    assert (found.seed, found.players, found.turns, found.turn) == (7, tried.players, tried.turns, 2)
    assert found.replay_digest == tried.replay_digest
    assert refused(contest, make_user("bob"), tried=tried.pk)
    assert refused(make_contest(visibility="public"), alice, tried=tried.pk)


def test_the_try_goes_before_a_match_that_is_given_with_it(contest: Contest, alice: User, match: Match) -> None:
    tried = ended(alice, seed=7)
    assert origin(contest, alice, match.pk, tried.pk).seed == 7
    assert refused(contest, alice, match.pk, 10**6), "the match does not stand in for it"


def test_a_try_that_runs_or_was_not_built_is_no_origin(contest: Contest, alice: User) -> None:
    tried = make_try(alice)
    assert refused(contest, alice, tried=tried.pk)
    fields = {"failed_step": "compile", "verdict": "compile error", "seats": [], "turns": 0}
    TRIES.record(report=report_of(tried, **fields, replay_digest=None, log_digest=None))
    tried.refresh_from_db()
    assert tried.state == Try.State.REJECTED
    assert refused(contest, alice, tried=tried.pk)
