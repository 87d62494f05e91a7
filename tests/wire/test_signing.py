"""Signatures of reports, which show the broker user that has sent them."""

from __future__ import annotations

import hashlib

import pytest

from wire.jobs import MATCH_RESULT_TASK, WORKER_BEAT_TASK
from wire.signing import is_signed, signature_of

URL = "redis://host-north:p%2Fw%C3%BC@broker:6379/0"
KEY = hashlib.sha256("p/wü".encode()).hexdigest()
BODY = b'{"worker":"play@pi","seconds":1.5}'


@pytest.mark.parametrize(
    ("key", "task", "body"),
    [
        (hashlib.sha256(b"another").hexdigest(), MATCH_RESULT_TASK, BODY),
        (KEY, WORKER_BEAT_TASK, BODY),
        (KEY, MATCH_RESULT_TASK, BODY.replace(b"@pi", b"@elsewhere")),
        (KEY, MATCH_RESULT_TASK, BODY.replace(b"1.5", b"1")),
        (KEY, MATCH_RESULT_TASK, b""),
    ],
    ids=["another key", "another task", "another worker", "another number", "nothing"],
)
def test_it_is_for_one_message_by_one_user(key: str, task: str, body: bytes) -> None:
    signature = signature_of(URL, MATCH_RESULT_TASK, BODY)
    assert signature is not None
    assert is_signed(signature, KEY, MATCH_RESULT_TASK, BODY)
    assert not is_signed(signature, key, task, body)


def test_a_user_signs_by_its_decoded_name() -> None:
    signature = signature_of("redis://caf%C3%A9%40home:secret@broker:6379/0", MATCH_RESULT_TASK, BODY)
    assert signature is not None
    assert signature.user == "café@home"


@pytest.mark.parametrize("url", ["redis://127.0.0.1:6379/0", "redis://:password@127.0.0.1/0", "memory://"])
def test_without_a_broker_user_nothing_is_signed(url: str) -> None:
    assert signature_of(url, MATCH_RESULT_TASK, BODY) is None
