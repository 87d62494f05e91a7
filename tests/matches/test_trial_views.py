"""Pages of private tests: for their owner alone."""

from __future__ import annotations

import re
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from ladder.models import BotVersion
from matches.models import Match, Trial
from matches.services.trials import trial_start
from tests.ladder.makers import make_bot, make_user, make_version
from tests.matches.makers import make_match
from tests.words import english

pytestmark = pytest.mark.django_db


@pytest.fixture
def versions() -> tuple[BotVersion, BotVersion]:
    old = make_version(make_bot("Moat", make_user("alice")), state=BotVersion.State.RETIRED, artifact_digest="1" * 64)
    return old, make_version(old.bot, parent=old, artifact_digest="2" * 64)


@pytest.fixture
def trial(versions: tuple[BotVersion, BotVersion]) -> Trial:
    return trial_start(owner=versions[0].bot.owner, candidate=versions[1], reference=versions[0])


@pytest.fixture
def alice(client: Client, versions: tuple[BotVersion, BotVersion]) -> Client:
    client.force_login(versions[0].bot.owner)
    return client


def test_a_button_begins_a_test(alice: Client, versions: tuple[BotVersion, BotVersion]) -> None:
    old, new = versions
    assert reverse("matches:trials", args=[old.bot_id]) in alice.get(f"/bots/{old.bot_id}/").content.decode()
    page = alice.get(f"/bots/{old.bot_id}/trials/").content.decode()
    assert f'value="{new.pk}" selected' in page
    answer = alice.post(f"/bots/{old.bot_id}/trials/begin/", {"candidate": new.pk, "reference": old.pk}, follow=True)
    assert "Is v2 better than v1?" in answer.content.decode()
    assert Trial.objects.get().candidate == new


def test_a_choice_that_cannot_be_is_answered_in_words(alice: Client, versions: tuple[BotVersion, BotVersion]) -> None:
    old, new = versions
    other = make_version(make_bot("Other", make_user("bob")), artifact_digest="3" * 64)
    for reference, words in ((new.pk, "two different versions"), (other.pk, "from the lists"), ("x", "from the lists")):
        data = {"candidate": new.pk, "reference": reference}
        assert words in alice.post(f"/bots/{old.bot_id}/trials/begin/", data, follow=True).content.decode()
    assert not Trial.objects.exists()


def test_beginning_too_often_is_refused(
    alice: Client, versions: tuple[BotVersion, BotVersion], settings: Settings
) -> None:
    """A test is thousands of matches."""
    settings.ACCOUNT_RATE_LIMITS = {"trial": "1/h/user"}
    old, new = versions
    data = {"candidate": new.pk, "reference": old.pk}
    begun = [alice.post(f"/bots/{old.bot_id}/trials/begin/", data).status_code for _ in range(2)]
    assert begun == [HTTPStatus.FOUND, HTTPStatus.TOO_MANY_REQUESTS]


def test_a_bot_with_one_version_is_told_what_to_do(client: Client) -> None:
    bot = make_version(make_bot("Moat", make_user("alice"))).bot
    client.force_login(bot.owner)
    assert "upload another one first" in client.get(f"/bots/{bot.pk}/trials/").content.decode()


def test_the_page_asks_again_until_the_test_has_ended(alice: Client, trial: Trial) -> None:
    progress = reverse("matches:trial_progress", args=[trial.pk])
    assert progress in alice.get(f"/trials/{trial.pk}/").content.decode()
    stopped = alice.post(f"/trials/{trial.pk}/stop/", follow=True).content.decode()
    assert "stopped without an answer" in stopped
    assert progress not in stopped
    assert progress not in alice.get(progress).content.decode()


def test_stored_sentences_are_english_whatever_the_language_of_the_user(alice: Client, trial: Trial) -> None:
    japanese = {"Accept-Language": "ja"}
    page = alice.post(f"/trials/{trial.pk}/stop/", headers=japanese, follow=True).content.decode()
    trial.refresh_from_db()
    assert english(trial.reason) == "You stopped it."
    assert "あなたが中止しました。" in page


@pytest.mark.parametrize(("state", "words"), [("better", "Yes: v2 is better"), ("worse", "No: v2 is worse")])
def test_the_answer_stands_in_words_and_figures(alice: Client, trial: Trial, state: str, words: str) -> None:
    result = {"pairs": 321, "elo": 33.3, "elo_low": 11.1, "elo_high": 55.5, "llr_better": 2.95, "llr_worse": -9.0}
    Trial.objects.filter(pk=trial.pk).update(state=state, result={**result, "bound": 2.94})
    page = alice.get(f"/trials/{trial.pk}/").content.decode()
    for shown in (words, "642", "33", "11 … 56", "2.95"):
        assert shown in page


def make_faulty(match: Match, version: BotVersion, verdict: str = "crashed") -> int:
    match.seats.filter(version=version).update(verdict=verdict)
    return match.pk


def test_its_owner_sees_the_faults_of_both_and_the_newest_matches_with_one(alice: Client, trial: Trial) -> None:
    pairs = list(trial.pairs.all())
    page = alice.get(f"/trials/{trial.pk}/").text
    assert "Look at what happened" not in page
    assert f'href="/matches/?kind=trial&amp;trial={trial.pk}"' in page
    numbers = [make_faulty(match, trial.candidate) for pair in pairs for match in (pair.first, pair.second)]
    make_faulty(pairs[0].first, trial.reference, "time")
    elsewhere = make_faulty(make_match(trial.candidate, trial.reference, kind=Match.Kind.TRIAL), trial.candidate)
    page = alice.get(f"/trials/{trial.pk}/").text
    text = re.sub(r"<[^>]*>|\s+", " ", page)
    assert re.search(r"Faults of v2 +6 +Faults of v1 +1 ", text)
    assert f"Match {numbers[-1]} : v2, crashed" in text
    shown = [int(number) for number in re.findall(r'href="/matches/(\d+)/"', page)]
    assert shown == sorted(numbers, reverse=True)[:5]
    assert elsewhere not in shown
    link = f"/matches/?kind=trial&trial={trial.pk}"
    assert f'href="{link.replace("&", "&amp;")}&amp;fault=any"' in page
    assert [row.pk for row in alice.get(f"{link}&fault=any").context["matches"]] == sorted(numbers, reverse=True)


def test_the_api_tells_its_owner_the_same(alice: Client, trial: Trial) -> None:
    url = f"/api/v1/trials/{trial.pk}/"
    assert alice.get(url).json()["faults"] == {"candidate": 0, "reference": 0, "newest": []}
    match = make_faulty(trial.pairs.all()[0].second, trial.candidate, "illegal answer")
    fault = {"match": match, "version": trial.candidate_id, "verdict": "illegal answer"}
    assert alice.get(url).json()["faults"] == {"candidate": 1, "reference": 0, "newest": [fault]}
    alice.force_login(make_user("eve"))
    assert alice.get(url).status_code == 404


def test_nobody_else_sees_a_test(client: Client, trial: Trial) -> None:
    assert client.get(f"/trials/{trial.pk}/").status_code == 302
    client.force_login(make_user("eve"))
    for path in (f"/trials/{trial.pk}/", f"/trials/{trial.pk}/progress/", f"/bots/{trial.candidate.bot_id}/trials/"):
        assert client.get(path).status_code == 404
    for path in (f"/trials/{trial.pk}/stop/", f"/bots/{trial.candidate.bot_id}/trials/begin/"):
        assert client.post(path).status_code == 404
    trial.refresh_from_db()
    assert trial.state == Trial.State.RUNNING


def test_a_page_takes_few_queries(alice: Client, trial: Trial, django_assert_max_num_queries: object) -> None:
    with django_assert_max_num_queries(4):  # type: ignore[operator]
        alice.get(f"/trials/{trial.pk}/progress/")
