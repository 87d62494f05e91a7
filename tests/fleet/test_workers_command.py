"""``manage.py workers``: the same actions as on the pages."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import AuditEntry
from jobs.models import Worker
from tests.fleet.makers import make_worker

pytestmark = pytest.mark.django_db

NAME = "play@one"


def workers(*arguments: str) -> str:
    out = StringIO()
    call_command("workers", *arguments, stdout=out)
    return out.getvalue()


def test_the_list_is_a_table() -> None:
    assert "No worker has given a sign of life yet." in workers("list")
    make_worker(NAME, processes_wanted=1)
    make_worker("play@a-longer-name", state=Worker.State.DRAINING, reason="a new disk", last_seen_at=timezone.now())
    lines = workers("list").splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["NAME", "play@a-longer-name", NAME]
    assert "2->1 of 2" in lines[2]
    assert "12.5 ms" in lines[2]
    assert len({line.index(word) for line, word in zip(lines, ("STATE", "draining", "active"), strict=False)}) == 1
    assert lines[3] == "play@a-longer-name: a new disk"


def test_names_from_workers_cannot_control_the_terminal() -> None:
    """The attack: a worker that was taken over names itself with escape sequences; root reads the list."""
    make_worker(NAME, backend="b\x1b[2J", languages=["c\x1b]0;t\x07"], self_test="no walls\x1b]52;c;aGk=\x07\u202e")
    shown = workers("list")
    assert "no walls\\x1b]52;c;aGk=" in shown
    assert [sign for sign in shown if not sign.isprintable() and sign != "\n"] == []


def test_the_actions() -> None:
    make_worker(NAME)
    workers("scale", NAME, "1")
    assert Worker.objects.get().processes_wanted == 1
    workers("drain", NAME, "--reason", "a new disk")
    assert Worker.objects.get().state == Worker.State.DRAINING
    workers("resume", NAME)
    assert Worker.objects.get().state == Worker.State.ACTIVE
    assert "played again: 0" in workers("quarantine", NAME, "--reason", "lies", "--hours", "2.5")
    assert Worker.objects.get().state == Worker.State.QUARANTINED
    assert set(AuditEntry.objects.values_list("actor_name", flat=True)) == {"command line"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("scale", NAME, "3"), "from 1 to 2 processes"),
        (("drain", "play@two"), "There is no worker play@two. Known are: play@one."),
        (("quarantine", NAME), "required: --reason"),
        (("scale", NAME, "many"), "'many' is no whole number"),
        (("quarantine", NAME, "--reason", "lies", "--hours", "nan"), "--hours: it must lie between 0 and"),
    ],
    ids=["too many", "unknown", "no reason", "no number", "no hours"],
)
def test_what_cannot_be_done_is_one_sentence(arguments: tuple[str, ...], words: str) -> None:
    make_worker(NAME, last_seen_at=timezone.now() - timedelta(seconds=3))
    with pytest.raises(CommandError, match=words):
        workers(*arguments)
    assert AuditEntry.objects.count() == 0
