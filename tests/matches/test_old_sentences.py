"""The English sentences of an arena of before become messages by the migrations, and are shown as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from common.words.messages import sentence_of
from ladder.selectors.versions import DISQUALIFIED, DISQUALIFIED_WHY

pytestmark = pytest.mark.test_all

BEFORE = [("ladder", "0001_initial"), ("matches", "0001_initial")]
NOW = [("ladder", "0002_version_reason"), ("matches", "0002_messages")]
SENTENCES = {
    "": "",
    'It ended with "exit code 1".': 'It ended with "exit code 1".',
    "An administrator has withdrawn this version.": "An administrator has withdrawn this version.",
    "An administrator has withdrawn this version. Why: {copied}": (
        "An administrator has withdrawn this version. Why: {copied}"
    ),
}


@pytest.fixture
def before(transactional_db: None) -> Iterator[Any]:
    """Return the models of release 1.0.0, whose tables the database has until ``migrated`` is called."""
    executor = MigrationExecutor(connection)
    executor.migrate(BEFORE)
    yield executor.loader.project_state(BEFORE).apps
    migrated()


def migrated() -> Any:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    return executor.loader.project_state(NOW).apps


def test_sentences_become_messages(before: Any) -> None:
    user = before.get_model("accounts", "User").objects.create(username="alice")
    bot = before.get_model("ladder", "Bot").objects.create(owner=user, game="kakomimasu", name="Moat")
    versions = [
        before.get_model("ladder", "BotVersion").objects.create(
            bot=bot, number=number, bundle_bytes=1, sentence=sentence, state="retired"
        )
        for number, sentence in enumerate(SENTENCES, start=1)
    ]
    match = before.get_model("matches", "Match").objects.create(
        game="kakomimasu", rules_version="1", seed=1, encounter="e", state="void", void_reason="It was wrong."
    )
    before.get_model("matches", "Attempt").objects.create(match=match, number=1, lease_token="t", reason="Lost.")
    before.get_model("matches", "Seat").objects.create(
        match=match, index=0, version=versions[0], verdict="time", evidence={"sentence": "Late.", "turn": 3}
    )
    before.get_model("matches", "Seat").objects.create(match=match, index=1, version=versions[1])
    before.get_model("matches", "Trial").objects.create(
        owner=user, candidate=versions[0], reference=versions[1], game="kakomimasu", games_max=2, reason="You did."
    )

    now = migrated()

    reasons = list(now.get_model("ladder", "BotVersion").objects.order_by("number").values_list("reason", flat=True))
    assert [sentence_of(reason) for reason in reasons] == list(SENTENCES.values())
    assert [reason.get("kind") for reason in reasons] == [None, "text", DISQUALIFIED, DISQUALIFIED_WHY]
    for model, field, sentence in (
        ("Match", "void_reason", "It was wrong."),
        ("Attempt", "reason", "Lost."),
        ("Trial", "reason", "You did."),
    ):
        assert sentence_of(getattr(now.get_model("matches", model).objects.get(), field)) == sentence
    late, without = now.get_model("matches", "Seat").objects.order_by("index")
    assert late.evidence == {"turn": 3, "why": {"kind": "text", "args": {"text": "Late."}}}
    assert without.evidence == {}
